package paper_test

import (
	"context"
	"fmt"
	"os"

	"instanton/paper"
	"instanton/paper/verdict"
)

// One figure of the paper, made into a folder, and what became of its claims.
func Example() {
	figures, err := paper.Find([]string{"fig-model"})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "paper")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	o := verdict.Options{Dir: dir, Settings: verdict.Settings{Quick: true, Seed: 1}}
	summary, err := paper.Make(context.Background(), figures, o)
	if err != nil {
		panic(err)
	}
	for _, c := range summary.Claims {
		fmt.Printf("%s: %s\n", c.Name, c.Verdict)
	}
	// Output: areas: holds
}
