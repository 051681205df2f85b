package paper

import (
	"context"

	"instanton/paper/figure"
	"instanton/paper/verdict"
)

// All lists the figures in the order of the paper, claims of its text where it makes them.
func All() []verdict.Figure { return figure.All() }

// MakeSeeds runs them with several seeds and merges the claims, as [verdict.MakeSeeds] does.
func MakeSeeds(ctx context.Context, figures []verdict.Figure, o verdict.Options, seeds []uint64) (*verdict.Summary,
	error) {
	o.Registry = All()
	return verdict.MakeSeeds(ctx, figures, o, seeds)
}

// Make runs figures of the paper that are not finished yet and writes the report on all that are in the folder, as
// [verdict.Make] does.
func Make(ctx context.Context, figures []verdict.Figure, o verdict.Options) (*verdict.Summary, error) {
	o.Registry = All()
	return verdict.Make(ctx, figures, o)
}
