package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"instanton/dataset"
	"instanton/internal/npy"
	"instanton/latent"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/unit"
)

// latentFlags choose the moves of the latent sampler.
type latentFlags struct {
	block      int
	pairing    string
	directions string
	axes       string
	moves      string
	exact      bool
	grid       latent.Grid
}

// latentNames are the flags that other samplers do not have.
var latentNames = []string{"block", "pairing", "directions", "axes", "moves", "latent-exact", "latent-spacing",
	"latent-range"}

func (f *latentFlags) flags(c *cobra.Command) {
	c.Flags().IntVar(&f.block, "block", 1, "latent: number of hidden units that move together")
	c.Flags().StringVar(&f.pairing, "pairing", "random", "latent: how blocks are formed: random, clustered (within "+
		"clusters of correlated units) or a .json file of groups such as [[0,3],[1,2]]")
	c.Flags().StringVar(&f.directions, "directions", "axes",
		"latent: directions of the moves: axes, data:FILE (differences of hidden representations) or a .npy "+
			"file with one direction per row")
	c.Flags().StringVar(&f.axes, "axes", "hidden", "latent: axes of Gaussian hidden units: hidden (as they are), "+
		"gauge (rotated to where the weights are most regular) or gauge:FILE (where the hidden activities of these "+
		"data are)")
	c.Flags().StringVar(&f.moves, "moves", "lines", "latent: lines (each block from its law), swaps (signed swaps of "+
		"two hidden units) or jumps:FILE (between classes or clusters of these data)")
	c.Flags().BoolVar(&f.exact, "latent-exact", true,
		"latent: correct the proposals; =false for the paper's tower sampling on a grid")
	c.Flags().Float64Var(&f.grid.Spacing, "latent-spacing", 0.5, "latent: spacing of the grid for tower sampling")
	c.Flags().Float64Var(&f.grid.Range, "latent-range", 0,
		"latent: largest value on the grid; 0 to cover the distribution")
}

// kernel makes latent moves and describes them.
func (f *latentFlags) kernel(c *cobra.Command, m *rbm.RBM, beta float64, seed uint64,
	configurations func() (*unit.States, error)) (sampler.Kernel, string, error) {
	for _, flag := range []string{"latent-spacing", "latent-range"} {
		if f.exact && c.Flags().Changed(flag) {
			return nil, "", usage(fmt.Errorf("--%s is for the grid of tower sampling: add --latent-exact=false",
				flag))
		}
	}
	if n := m.Hidden.Spec().N; f.block < 1 || f.block > n && f.block > 1 {
		return nil, "", usage(fmt.Errorf("--block %d: expected 1 to %d hidden units", f.block, n))
	}
	if f.directions != "axes" && (f.pairing != "random" || f.block > 1) {
		return nil, "", usage(fmt.Errorf("--directions %s moves along one direction at a time: leave out --block and "+
			"--pairing", f.directions))
	}
	rotation, err := f.rotation(m)
	if err != nil {
		return nil, "", err
	}
	if f.moves != "lines" {
		return f.jumps(c, m, beta, seed, rotation)
	}
	o := latent.Options{Block: f.block, Rotation: rotation}
	switch f.pairing {
	case "random":
	case "clustered":
		v, err := configurations()
		if err != nil {
			return nil, "", err
		}
		most := m.Hidden.Spec().N
		if m.Hidden.Spec().Type.Discrete() && !c.Flags().Changed("block") {
			most = 8 // more cannot be enumerated
		}
		o.Groups = mixing.HiddenClusters(m, v, most)
	default:
		o.Groups, err = readGroups(f.pairing)
	}
	if err != nil {
		return nil, "", err
	}
	if o.Groups != nil && !c.Flags().Changed("block") {
		o.Block = 0
	}
	if o.Directions, err = f.readDirections(m, seed); err != nil {
		return nil, "", err
	}
	if !f.exact {
		o.Grid = &f.grid
	}
	k, err := latent.New(m, beta, o)
	if err != nil {
		return nil, "", usage(err)
	}
	moves, err := describe(o)
	return k, moves, err
}

// rotation is what --axes asks for, nil to leave the hidden units as they are.
func (f *latentFlags) rotation(m *rbm.RBM) (*mat.Dense, error) {
	if f.axes == "hidden" {
		return nil, nil
	}
	path, fromData := strings.CutPrefix(f.axes, "gauge:")
	if f.axes != "gauge" && !fromData {
		return nil, usage(fmt.Errorf("--axes %s: expected hidden, gauge or gauge:FILE", f.axes))
	}
	var activities [][]float64
	if fromData {
		v, err := dataset.ReadAs(path, m.Visible.Spec(), m.Info["alphabet"])
		if err != nil {
			return nil, err
		}
		activities = mixing.Representations(m, v)
	}
	r, err := m.Axes(activities)
	return r, usage(err)
}

// jumps makes signed swaps, or jumps between prototypes.
func (f *latentFlags) jumps(c *cobra.Command, m *rbm.RBM, beta float64, seed uint64, rotation *mat.Dense) (
	sampler.Kernel, string, error) {
	for _, flag := range latentNames {
		if flag != "axes" && flag != "moves" && c.Flags().Changed(flag) {
			return nil, "", usage(fmt.Errorf("--%s is for --moves lines, not for --moves %s", flag, f.moves))
		}
	}
	if f.moves == "swaps" {
		k, err := latent.NewSwaps(m, beta, rotation)
		if err != nil {
			return nil, "", usage(err)
		}
		text, err := digest("signed swaps, axes", rotation)
		return k, text, err
	}
	path, ok := strings.CutPrefix(f.moves, "jumps:")
	switch {
	case !ok || path == "":
		return nil, "", usage(fmt.Errorf("--moves %s: expected lines, swaps or jumps:FILE", f.moves))
	case rotation != nil:
		return nil, "", usage(fmt.Errorf("--axes %s with --moves %s: jumps do not depend on axes, leave them out",
			f.axes, f.moves))
	}
	d, err := dataset.ReadUnits(path, m.Visible.Spec(), m.Info["alphabet"])
	if err != nil {
		return nil, "", err
	}
	prototypes := mixing.DataPrototypes(m, d, seed)
	k, err := latent.NewJumps(m, beta, prototypes)
	if err != nil {
		return nil, "", usage(err)
	}
	text, err := digest("jumps between", prototypes)
	return k, text, err
}

// digest describes something by its SHA-256.
func digest(what string, value any) (string, error) {
	if m, ok := value.(*mat.Dense); ok {
		if m == nil {
			return what + " unchanged", nil
		}
		value = m.RawMatrix().Data
	}
	data, err := json.Marshal(value)
	return fmt.Sprintf("%s %x", what, sha256.Sum256(data)), err
}

// describe describes the moves, by their SHA-256 if they come from files or samples.
func describe(o latent.Options) (string, error) {
	text := fmt.Sprintf("block %d", o.Block)
	if o.Grid != nil {
		text += fmt.Sprintf(", grid of spacing %g and range %g", o.Grid.Spacing, o.Grid.Range)
	}
	if o.Rotation != nil {
		axes, err := digest(", axes", o.Rotation)
		if err != nil {
			return "", err
		}
		text += axes
	}
	if o.Groups != nil || o.Directions != nil {
		data, err := json.Marshal([]any{o.Groups, o.Directions})
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf(", groups and directions %x", sha256.Sum256(data))
	}
	return text, nil
}

func readGroups(path string) ([][]int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, usage(fmt.Errorf("--pairing: %w; expected random, clustered or a file", err))
	}
	var groups [][]int
	if err := json.Unmarshal(data, &groups); err != nil {
		return nil, fmt.Errorf("%s: %w: expected lists of hidden units, as in [[0,3],[1,2]]", path, err)
	}
	return groups, nil
}

func (f *latentFlags) readDirections(m *rbm.RBM, seed uint64) ([][]float64, error) {
	if f.directions == "axes" {
		return nil, nil
	}
	if path, ok := strings.CutPrefix(f.directions, "data:"); ok {
		if path == "" {
			return nil,
				usage(fmt.Errorf("--directions data: expected the name of a file after the colon, as in data:FILE"))
		}
		v, err := dataset.ReadAs(path, m.Visible.Spec(), m.Info["alphabet"])
		if err != nil {
			return nil, err
		}
		d := &dataset.Dataset{Name: path, States: v}
		if labelled, err := dataset.Read(path); err == nil {
			d.Labels = labelled.Labels
		}
		return mixing.DataDirections(m, d, seed)
	}
	a, err := npy.ReadFile(f.directions)
	if err != nil {
		return nil, usage(fmt.Errorf("--directions: %w; expected axes, data:FILE or a .npy file", err))
	}
	if len(a.Shape) != 2 {
		return nil, fmt.Errorf("%s has %d dimensions: expected a row for each direction", f.directions, len(a.Shape))
	}
	x, err := a.Float64s()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.directions, err)
	}
	rows := make([][]float64, a.Shape[0])
	for k := range rows {
		rows[k] = x[k*a.Shape[1] : (k+1)*a.Shape[1]]
	}
	return rows, nil
}
