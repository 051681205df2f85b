package run_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"instanton/dataset"
	"instanton/run"
	"instanton/unit"
)

// Train a small model, stop before the end, and resume the run as another process would.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	images, err := dataset.BarsAndStripes(3, unit.Spin)
	if err != nil {
		log.Fatal(err)
	}
	cfg := run.Default()
	cfg.Data.Path = filepath.Join(dir, "bas.npz")
	cfg.Model.Hidden = "spin:8"
	cfg.Train.Epochs, cfg.Train.Batch, cfg.Train.Chains = 400, images.States.Len, 100
	cfg.Train.Sweeps, cfg.Train.Optimizer.Rate = 5, 0.03
	if err := images.Save(cfg.Data.Path, false); err != nil {
		log.Fatal(err)
	}

	out := filepath.Join(dir, "bars")
	r, err := run.Open(out, cfg, 1)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	_, err = r.Train(ctx, func(updates int) {
		if updates == 300 {
			stop()
		}
	})
	fmt.Println(err, errors.Is(err, run.ErrStopped))

	if r, err = run.Open(out, cfg, 1); err != nil {
		log.Fatal(err)
	}
	fmt.Println("resumed after update", r.Updates())
	result, err := r.Train(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	manifest, err := run.ReadManifest(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: log-likelihood %.1f per sample, %.1f for independent pixels, at best %.1f\n", manifest.State,
		*result.LL, -9*math.Ln2, -math.Log(float64(images.States.Len)))
	// Output:
	// stopped early after 300 of 400 updates true
	// resumed after update 300
	// finished: log-likelihood -2.7 per sample, -6.2 for independent pixels, at best -2.6
}
