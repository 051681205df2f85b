package demo_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"instanton/demo"
)

// A smaller and shorter demo than that of the command line: long enough to compare the samplers, too short to judge
// them.
func Example() {
	result, err := demo.Run(context.Background(), demo.Options{Size: 3, Updates: 200, Sweeps: 500, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	training := result.Findings()[0]
	fmt.Printf("%d images of bars and stripes: %s\n", result.Training.Images, training.Verdict)
	gibbs, latent := result.Gibbs.Diagnosis, result.Latent.Diagnosis
	fmt.Println("latent moves change the class more often:", latent.Transitions > gibbs.Transitions)

	dir, err := os.MkdirTemp("", "demo")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	page, err := os.Create(filepath.Join(dir, "report.html"))
	if err != nil {
		log.Fatal(err)
	}
	defer page.Close()
	if err := result.Report().Write(page); err != nil {
		log.Fatal(err)
	}
	info, err := page.Stat()
	fmt.Println("report.html is written:", err == nil && info.Size() > 0)
	// Output:
	// 14 images of bars and stripes: learnt
	// latent moves change the class more often: true
	// report.html is written: true
}
