package main

import (
	"errors"
	"strings"

	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/rates"
	"instanton/train"
)

// hints say which flag helps with an error of the library, after the error itself.
var hints = []struct {
	err   error
	words string
}{
	{atomicfile.ErrExists, ": choose another name or pass --force"},
	{dataset.ErrOutsideAlphabet, "; 'instanton data convert --unknown gap' or 'drop' reads past it"},
	{dataset.ErrInserts, "; 'instanton data convert --keep-inserts' keeps them"},
	{dataset.ErrIDX, ": read images of that format with 'instanton data mnist --from DIR'"},
	{dataset.ErrNotMNIST, ": remove it to have it fetched again, or pass --unchecked if it is meant"},
	{dataset.ErrNoMNIST, "; name the folder with --from DIR"},
	{rates.ErrThirdState, "; ask for the rate of leaving the first for all others (--leave)"},
}

// remedies are the flags that keep a training from diverging.
var remedies = map[train.Remedy]string{
	train.SmallerRate: "--lr", train.ClipGradients: "--clip 1", train.StandardiseGradients: "--gradient standardised",
	train.MoreSweeps: "--k", train.RegularizeWeights: "--l2",
}

// hint is what the command line has to say about an error, empty if nothing.
func hint(err error) string {
	var d *train.Divergence
	if errors.As(err, &d) {
		var flags []string
		for _, r := range d.Remedies {
			flags = append(flags, remedies[r])
		}
		return " (" + strings.Join(flags, ", ") + ")"
	}
	for _, h := range hints {
		if errors.Is(err, h.err) {
			return h.words
		}
	}
	return ""
}
