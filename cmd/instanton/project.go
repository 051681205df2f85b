package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"instanton/dataset"
	"instanton/internal/npy"
	"instanton/internal/progress"
	"instanton/interpret"
	"instanton/pca"
	"instanton/plot"
	"instanton/rbm"
	"instanton/unit"
)

type projectFlags struct {
	draw    bool
	units   string
	workers int
	seed    uint64
	out     outputs
}

func newProject() *cobra.Command {
	var f projectFlags
	c := &cobra.Command{
		Use:   "project MODEL.npz DATA -o OUT.npz",
		Short: "Project configurations onto the hidden units",
		Long: `Compute what the hidden units make of each configuration of DATA. OUT.npz has the arrays inputs, with
I_μ(v) = Σ_i W_iμ v_i, and means, with ⟨h_μ|v⟩, both with one row per configuration and one column per
hidden unit (q columns per Potts unit, one for each state); --draw adds the array draws, with one draw
from P(h|v) for each configuration. Labels (array labels) and names (names.txt) are those of DATA.

A figure (-o FILE.png) is a scatter of the inputs of two hidden units (--units) or, by default, of their
two first principal components, coloured by label. It shows at most 10,000 configurations, evenly spaced.

With --json, one object per line has "id", "inputs" and "means".`,
		Example: `  instanton project model.npz family.fasta -o hidden.npz
  instanton project model.npz family.npz -o scatter.png --units 3,17`,
		Args: arguments(2, 2, "a model file and a data file"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(f.out.paths) == 0 && !f.out.asJSON {
				return usage(errors.New("no output: name a file with -o OUT.npz, or a figure, or pass --json"))
			}
			if err := f.out.check(args...); err != nil {
				return err
			}
			m, err := rbm.Load(args[0])
			if err != nil {
				return err
			}
			shown, err := f.shown(m.Hidden.Spec())
			if err != nil {
				return usage(err)
			}
			return f.run(c, m, args[1], shown)
		},
	}
	c.Flags().BoolVar(&f.draw, "draw", false, "also draw the hidden units of each configuration")
	c.Flags().StringVar(&f.units, "units", "", "the two hidden units of the figure, MU,NU, counted from 0")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of goroutines; 0 for one per processor")
	seedFlag(c, &f.seed)
	f.out.flags(c, ".npz", ".png", ".svg", ".pdf")
	return c
}

// shown is which two channels a figure shows; nil stands for principal components.
func (f *projectFlags) shown(spec unit.Spec) ([]int, error) {
	if f.units == "" {
		return nil, nil
	}
	units, err := parseUnits(f.units)
	if err != nil || len(units) != 2 {
		return nil, fmt.Errorf("--units %q: expected two whole numbers, as in 0,3", f.units)
	}
	for _, mu := range units {
		if mu < 0 || mu >= spec.Width() {
			return nil, fmt.Errorf("--units %q: expected numbers from 0 to %d", f.units, spec.Width()-1)
		}
	}
	return units, nil
}

// hiddenRow is a line of JSON.
type hiddenRow struct {
	ID     string    `json:"id"`
	Inputs []float64 `json:"inputs"`
	Means  []float64 `json:"means"`
}

func (f *projectFlags) run(c *cobra.Command, m *rbm.RBM, path string, shown []int) error {
	p, err := interpret.NewProjector(m, f.workers)
	if err != nil {
		return err
	}
	p.Draw, p.Seed = f.draw, f.seed
	width := m.Hidden.Spec().Width()
	var inputs, means, draws *spool
	if len(f.out.paths) > 0 {
		for _, s := range []**spool{&inputs, &means, &draws} {
			if *s, err = newSpool(f.out.paths[0], width); err != nil {
				return err
			}
			defer (*s).close()
		}
		draws.width = m.Hidden.Spec().N
	}
	var labels []int64
	var names bytes.Buffer
	w, flush := standardOutput(c)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	line := progress.New(messages(c), "configurations", 0, 0)
	defer line.Close()
	done := 0
	use := func(d *dataset.Dataset) error {
		if err := c.Context().Err(); err != nil {
			return err
		}
		block, err := p.Next(d.States)
		if err != nil {
			return err
		}
		for k := range d.States.Len {
			if inputs == nil {
				row := hiddenRow{rowName(d, k, done), block.Inputs[k*width:][:width], block.Means[k*width:][:width]}
				if err := lines.Encode(row); err != nil {
					return err
				}
				continue
			}
			if d.Labels != nil {
				labels = append(labels, int64(d.Labels[k]))
			}
			names.WriteString(rowName(d, k, done) + "\n")
		}
		if inputs != nil {
			if err := errors.Join(inputs.append(block.Inputs), means.append(block.Means)); err != nil {
				return err
			}
		}
		if inputs != nil && f.draw {
			values := make([]float64, d.States.Len*draws.width)
			for k := range d.States.Len {
				block.Draws.Values(values[k*draws.width:][:draws.width], k)
			}
			if err := draws.append(values); err != nil {
				return err
			}
		}
		done += d.States.Len
		line.Set(done)
		return nil
	}
	labelNames, err := f.each(m, path, use)
	if err != nil {
		return err
	}
	if inputs == nil {
		return flush()
	}
	archive := func(w io.Writer) error {
		var failed error
		members := []npy.Member{inputs.member("inputs", &failed), means.member("means", &failed)}
		if f.draw {
			members = append(members, draws.member("draws", &failed))
		}
		if labels != nil {
			members = append(members, npy.ArrayMember("labels", npy.New(labels)))
		}
		members = append(members, npy.FileMember("names.txt", names.Bytes()))
		return errors.Join(npy.WriteArchive(w, members...), failed)
	}
	draw := func() (plot.Figure, error) { return scatter(inputs, shown, labels, labelNames) }
	return f.out.write(c, draw, map[string]func(io.Writer) error{".npz": archive})
}

// each passes on the configurations in blocks. A figure is coloured by labels, which a FASTA file only gives as a
// whole.
func (f *projectFlags) each(m *rbm.RBM, path string, use func(d *dataset.Dataset) error) (func(int) string, error) {
	if !f.out.wantsFigure() {
		return nil, dataset.EachBlock(path, m.Visible.Spec(), m.Info["alphabet"], scoreBlock, use)
	}
	d, err := dataset.ReadUnits(path, m.Visible.Spec(), m.Info["alphabet"])
	if err != nil {
		return nil, err
	}
	return d.LabelName, d.EachBlock(scoreBlock, use)
}

// scatterMost is the largest number of points of a scatter.
const scatterMost = 10000

// scatter draws the inputs of two hidden units, or the first principal components of all.
func scatter(inputs *spool, shown []int, labels []int64, name func(int) string) (plot.Figure, error) {
	step := (inputs.rows + scatterMost - 1) / scatterMost
	count := (inputs.rows + step - 1) / step
	all := unit.NewStates(unit.Spec{Type: unit.Gaussian, N: inputs.width}, count)
	if err := inputs.each(step, func(k int, row []float64) { all.SetValues(k/step, row) }); err != nil {
		return plot.Figure{}, err
	}
	points := make([][]float64, count)
	axes := [2]plot.Axis{}
	if shown != nil {
		for k := range points {
			points[k] = []float64{all.Value(k, shown[0]), all.Value(k, shown[1])}
		}
		for a, mu := range shown {
			axes[a].Label = fmt.Sprintf("input $I_{%d}$", mu)
		}
	} else {
		p, err := pca.Fit(all, nil, 2)
		if err != nil {
			return plot.Figure{}, err
		}
		if points, err = p.Projections(all); err != nil {
			return plot.Figure{}, err
		}
		if len(p.Components) < 2 {
			return plot.Figure{}, errors.New("the inputs vary in fewer than two directions: nothing to draw")
		}
		for a := range axes {
			axes[a].Label = fmt.Sprintf("component %d (%.0f %% of the variance)", a+1, 100*p.Variances[a]/p.Total)
		}
	}
	size := 1.4
	if count < 2000 {
		size = 2.4
	}
	groups := map[int64]*plot.Points{}
	for k, x := range points {
		label := int64(0)
		if labels != nil {
			label = labels[k*step]
		}
		if groups[label] == nil {
			groups[label] = &plot.Points{Size: size}
		}
		g := groups[label]
		g.X, g.Y = append(g.X, x[0]), append(g.Y, x[1])
	}
	panel := plot.Panel{X: axes[0], Y: axes[1], Aspect: 0.85}
	markers := []plot.Marker{plot.Disc, plot.Triangle, plot.Square}
	for n, label := range slices.Sorted(maps.Keys(groups)) {
		g := groups[label]
		g.Marker = markers[n/7%len(markers)] // colours repeat after seven
		if labels != nil {
			g.Name = name(int(label))
		}
		panel.Series = append(panel.Series, *g)
	}
	return plot.Figure{Width: 11, Panels: []plot.Panel{panel}}, nil
}
