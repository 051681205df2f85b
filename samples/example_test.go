package samples_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"instanton/rbm"
	"instanton/sampler"
	"instanton/samples"
)

// A run is written to a file and read back.
func Example() {
	model, err := rbm.CurieWeiss(16, 1.2)
	if err != nil {
		panic(err)
	}
	kernel, err := sampler.NewGibbs(model, 1)
	if err != nil {
		panic(err)
	}
	plan := sampler.Plan{Burn: 10, Every: 2, Draws: 25}
	chains := sampler.NewChains(model, 4, 1)
	file := &samples.File{
		Chains: chains, Record: sampler.NewRecord(kernel, chains, plan, false),
		About: samples.Recipe{Sampler: "gibbs", Beta: 1, Seed: 1, Init: "random", Chains: 4, Burn: 10, Every: 2,
			Draws: 25},
	}
	if err := sampler.NewPool(kernel, 0).Record(context.Background(), chains, file.Record, nil); err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "samples")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "samples.npz") // numpy.load opens it, too
	if err := file.Save(path, false); err != nil {
		panic(err)
	}
	set, err := samples.Read(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(set.Chains, "chains of", set.Draws, "draws of", set.V.Spec, "by", set.About.Sampler)
	// Output: 4 chains of 25 draws of spin:16 by gibbs
}
