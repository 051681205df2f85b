package main

import (
	"errors"
	"strings"

	"instanton/dataset"
	"instanton/internal/atomicfile"
	"instanton/rates"
	"instanton/train"
)

// hints are added to errors of the library, to say which flag helps.
var hints = []struct {
	err   error
	words string
}{
	{atomicfile.ErrExists, ": choose another name or pass --force"},
	{dataset.ErrOutsideAlphabet, "; 'instanton data convert --unknown gap' or '--unknown drop' accepts it"},
	{dataset.ErrInserts, "; 'instanton data convert --keep-inserts' keeps them"},
	{dataset.ErrIDX, ": read images of that format with 'instanton data mnist --from DIR'"},
	{dataset.ErrNotMNIST, ": remove it to have it fetched again, or pass --unchecked if it is the file you want"},
	{dataset.ErrNoMNIST, "; give their folder with --from DIR"},
	{rates.ErrThirdState, "; use --leave for the rate of leaving the first state for all others"},
}

// remedies are the flags that keep a training from diverging.
var remedies = map[train.Remedy]string{
	train.SmallerRate: "--lr", train.ClipGradients: "--clip 1", train.StandardiseGradients: "--gradient standardised",
	train.MoreSweeps: "--k", train.RegularizeWeights: "--l2",
}

// hint is the advice on an error, empty if there is none.
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
