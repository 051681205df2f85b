//go:build linux && amd64

package cuda

import (
	"bytes"
	"fmt"
	"testing"

	"instanton/batch"
	"instanton/train"
	"instanton/unit"
)

// trainings are options of which every one goes another way through the kernels of a step.
func trainings() map[string]train.Options {
	list := map[string]train.Options{}
	add := func(name string, change func(o *train.Options)) {
		o := train.Recipe()
		o.Epochs, o.Batch, o.Chains = 1, 60, 40
		change(&o)
		list[name] = o
	}
	add("recipe", func(*train.Options) {})
	add("adam", func(o *train.Options) {
		o.Optimizer, o.Coordinates = train.Adam{Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-3}, train.Standardised
	})
	add("plain", func(o *train.Options) {
		o.Optimizer, o.Coordinates, o.Sweeps, o.Rate = train.SGD{Momentum: 0.5}, train.Plain, 3, 0.05
		o.Regularizers = []train.Regularizer{train.L1(1e-3), train.L2(1e-3), train.FieldL2(1e-2)}
	})
	return list
}

// checkpoint does updates and returns the state, which Restore of another trainer takes.
func checkpoint(t *testing.T, tr *train.Trainer, updates int) []byte {
	t.Helper()
	for range updates {
		if err := tr.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := tr.Checkpoint(&b, 0); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A training on the GPU has the bits of one on the processor, and goes on where the other stopped.
func TestTrainingIsThatOfTheProcessor(t *testing.T) {
	gpus(t, func(t *testing.T, g *GPU) {
		updates := 2
		if _, ok := g.device.(*emulator); !ok {
			updates = 500
		}
		for name, o := range trainings() {
			for _, pair := range [][2]string{{"bernoulli:37", "bernoulli:21"}, {"spin:66", "spin:5"}} {
				data := train.Data{States: random(must(unit.ParseSpec(pair[0])), 175, 4)}
				o.Epochs = updates
				hidden := must(unit.ParseSpec(pair[1]))
				make := func(d batch.Device) *train.Trainer {
					o.Device = d
					return must(train.New(hidden, data, o))
				}
				cpu, on := make(nil), make(g.Device())
				half := checkpoint(t, cpu, updates)
				if !bytes.Equal(half, checkpoint(t, on, updates)) {
					t.Errorf("%s of %v: states differ after %d updates", name, pair, updates)
				}
				if a, b := fmt.Sprint(cpu.GradientNorm(), cpu.WeightNorm()),
					fmt.Sprint(on.GradientNorm(), on.WeightNorm()); a != b {
					t.Errorf("%s of %v: norms are %s, want %s", name, pair, b, a)
				}
				again := make(g.Device())
				if _, err := again.Restore(bytes.NewReader(half), int64(len(half))); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(checkpoint(t, cpu, updates), checkpoint(t, again, updates)) {
					t.Errorf("%s of %v: states differ after going on on the other device", name, pair)
				}
			}
		}
	})
}
