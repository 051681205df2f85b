// Package variants makes samplers from words such as latent:2 or tempering:12: the name of a Markov kernel, and its
// settings after colons.
package variants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/jump"
	"instanton/latent"
	"instanton/mixing"
	"instanton/rbm"
	"instanton/sampler"
	"instanton/tempering"
)

// Help lists the settings that words may have, one sampler per line.
const Help = `  latent:2              blocks of two hidden units (any number)
  latent:gauge          in rotated axes of Gaussian hidden units; also latent:2:gauge
  latent:swaps          signed swaps of two hidden units; also latent:swaps:gauge
  latent:directions     along differences between the representations of data
  latent:prototypes     jumps between the representations of classes or clusters of data
  jump:products         a mixture of products, or jump:network; in one layer: jump:visible, jump:hidden
  tempering:12          twelve rungs (any number); also mixture:12, trajectory:12`

// word is a name with its settings.
type word struct {
	name     string
	settings []string
	number   int // block or rungs; 0 for none
}

// known are the settings of each sampler besides a number, and whether it takes one.
var known = map[string]struct {
	words  []string
	number bool
}{
	"latent":     {[]string{"gauge", "swaps", "directions", "prototypes"}, true},
	"jump":       {[]string{"products", "network", "visible", "hidden"}, false},
	"tempering":  {nil, true},
	"mixture":    {nil, true},
	"trajectory": {nil, true},
}

func parse(text string) (word, error) {
	parts := strings.Split(text, ":")
	w := word{name: parts[0]}
	if !slices.Contains(kernels.Names(), w.name) {
		return w, fmt.Errorf("unknown sampler %q: expected some of %s", w.name, strings.Join(kernels.Names(), ", "))
	}
	may := known[w.name]
	for _, part := range parts[1:] {
		n, err := strconv.Atoi(part)
		switch {
		case may.number && w.number == 0 && err == nil && n >= 1:
			w.number = n
		case slices.Contains(may.words, part) && !slices.Contains(w.settings, part):
			w.settings = append(w.settings, part)
		default:
			return w, fmt.Errorf("%s: unknown setting %q: expected %s", text, part, expected(w.name))
		}
	}
	for _, pair := range [][2]string{{"products", "network"}, {"visible", "hidden"}, {"swaps", "directions"},
		{"swaps", "prototypes"}, {"directions", "prototypes"}, {"gauge", "directions"}, {"gauge", "prototypes"}} {
		if w.has(pair[0]) && w.has(pair[1]) {
			return w, fmt.Errorf("%s: expected %s or %s, not both", text, pair[0], pair[1])
		}
	}
	if w.number > 0 && (w.has("swaps") || w.has("directions") || w.has("prototypes")) {
		return w, fmt.Errorf("%s: expected blocks of %d or other moves, not both", text, w.number)
	}
	return w, nil
}

func (w word) has(setting string) bool { return slices.Contains(w.settings, setting) }

// expected lists the settings of a sampler.
func expected(name string) string {
	may := known[name]
	all := slices.Clone(may.words)
	if may.number {
		all = append(all, "a number")
	}
	if len(all) == 0 {
		return "none"
	}
	return "one of " + strings.Join(all, ", ")
}

// Check refuses a word that names no sampler.
func Check(text string) error {
	_, err := parse(text)
	return err
}

// New makes the sampler that a word names, and says in a few words what came of its fit or its pilot.
func New(text string, m *rbm.RBM, beta float64, o kernels.Options) (k sampler.Kernel, about string, err error) {
	w, err := parse(text)
	if err != nil {
		return nil, "", err
	}
	switch {
	case w.name == "latent" && text != "latent":
		k, err = w.latent(m, beta, o)
	case w.name == "jump":
		return w.jump(m, beta, o)
	default:
		o.Rungs = w.number
		k, err = kernels.New(w.name, m, beta, o)
	}
	if err != nil {
		return nil, "", err
	}
	if t, ok := k.(*tempering.Kernel); ok {
		about = fmt.Sprintf("%d rungs", t.Rungs())
	}
	return k, about, nil
}

func (w word) jump(m *rbm.RBM, beta float64, o kernels.Options) (sampler.Kernel, string, error) {
	fit := jump.Options{Seed: o.Seed, Workers: o.Workers}
	for _, setting := range w.settings {
		if slices.Contains(jump.Kinds, setting) {
			fit.Kind = setting
		} else {
			fit.Side = setting
		}
	}
	starts := o.Data
	if starts == nil {
		starts = jump.Starts(m, o.Seed)
	}
	f, err := jump.Fit(o.Context, m, beta, starts, fit)
	if err != nil {
		return nil, "", err
	}
	return f.Kernel, fmt.Sprintf("%s in the %s layer, acceptance %.2g", f.Kernel.Proposal().Name(), f.Kernel.Side(),
		f.Acceptance()), nil
}

// latent makes latent moves other than the default ones.
func (w word) latent(m *rbm.RBM, beta float64, o kernels.Options) (k sampler.Kernel, err error) {
	var rotation *mat.Dense
	if w.has("gauge") {
		if rotation, err = m.Axes(nil); err != nil {
			return nil, err
		}
	}
	needsData := w.has("directions") || w.has("prototypes")
	if needsData && o.Data == nil {
		return nil, fmt.Errorf("%s of data: expected data from every mode, and there are none", w.settings[0])
	}
	d := &dataset.Dataset{States: o.Data, Labels: o.Labels}
	moves := latent.Options{Block: w.number, Rotation: rotation}
	switch {
	case w.has("swaps"):
		return notNil(latent.NewSwaps(m, beta, rotation))
	case w.has("prototypes"):
		return notNil(latent.NewJumps(m, beta, mixing.DataPrototypes(m, d, o.Seed)))
	case w.has("directions"):
		if moves.Directions, err = mixing.DataDirections(m, d, o.Seed); err != nil {
			return nil, err
		}
	}
	return notNil(latent.New(m, beta, moves))
}

// notNil keeps a nil kernel of its own type from looking like a kernel.
func notNil[K sampler.Kernel](k K, err error) (sampler.Kernel, error) {
	if err != nil {
		return nil, err
	}
	return k, nil
}
