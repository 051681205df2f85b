package verdict_test

import (
	"context"
	"fmt"
	"os"

	"instanton/paper/verdict"
)

// A figure of one's own: what a paper says, what was measured, and the verdict.
func Example() {
	figure := verdict.Figure{
		Name: "text-halves", Title: "Two halves", Shows: "A sum.", Version: 1,
		Run: func(context.Context, verdict.Settings) (*verdict.Result, error) {
			r := &verdict.Result{}
			sum := 0.5 + 0.5
			r.Claim(verdict.Claim{
				Name: "one", Where: "the text", Statement: "Two halves make one.", Criterion: "the sum is 1",
				Measured: []verdict.Measured{{Name: "sum", Value: sum}}, Verdict: verdict.Judge(sum == 1),
			})
			return r, nil
		},
	}
	dir, err := os.MkdirTemp("", "verdict")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	o := verdict.Options{Dir: dir, Settings: verdict.Settings{Seed: 1}}
	summary, err := verdict.Make(context.Background(), []verdict.Figure{figure}, o)
	if err != nil {
		panic(err)
	}
	for _, c := range summary.Claims {
		fmt.Printf("%s: %s (%s)\n", c.Name, c.Verdict, c.Numbers())
	}
	// Output: one: holds (sum 1)
}
