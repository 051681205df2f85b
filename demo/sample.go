package demo

import (
	"context"

	"instanton/dataset"
	"instanton/internal/kernels"
	"instanton/internal/rng"
	"instanton/mixing"
	"instanton/sampler"
	"instanton/unit"
)

// Number of chains of each sampler, and of sweeps from one draw to the next.
const (
	chains = 24
	every  = 5
)

// Sampling describes the chains of one sampler.
type Sampling struct {
	Sampler string `json:"sampler"`
	Chains  int    `json:"chains"`
	Sweeps  int    `json:"sweeps"`
	// Valid is the fraction of draws that are images of bars or stripes, Images the number of different ones that
	// a chain visits, on average.
	Valid     float64           `json:"valid"`
	Images    float64           `json:"images_a_chain"`
	Diagnosis *mixing.Diagnosis `json:"diagnosis"`

	record *sampler.Record
	start  *unit.States
}

// sample runs chains, half of them from bars and half from stripes, and judges how they move between the two.
func (t *Result) sample(ctx context.Context, o Options, name string) (Sampling, error) {
	kernel, err := kernels.New(name, t.Model, 1, kernels.Options{})
	if err != nil {
		return Sampling{}, err
	}
	s := Sampling{Sampler: name, Chains: chains, Sweeps: o.Sweeps, start: t.starts(o.Seed)}
	c := sampler.NewChains(t.Model, chains, o.Seed)
	if err := c.Begin(s.start); err != nil {
		return s, err
	}
	s.record = sampler.NewRecord(kernel, c, sampler.Plan{Every: every, Draws: o.Sweeps / every}, false)
	if err := sampler.NewPool(kernel, o.Workers).Record(ctx, c, s.record, nil); err != nil {
		return s, err
	}
	modes, err := mixing.Labels(t.Images, t.Images.States.Spec)
	if err != nil {
		return s, err
	}
	s.Diagnosis, err = mixing.Diagnose(mixing.Samples{V: s.record.V, Chains: chains, Draws: s.record.Draws,
		Model: t.Model, Sampler: name, Start: s.start}, modes)
	if err != nil {
		return s, err
	}
	s.count(t.Images)
	return s, nil
}

// starts alternates between images of bars and of stripes.
func (t *Result) starts(seed uint64) *unit.States {
	v := unit.NewStates(t.Images.States.Spec, chains)
	pick := rng.New(seed, rng.Start, 0, 0).Rand()
	for k := range chains {
		for {
			row := pick.IntN(t.Images.States.Len)
			if t.Images.Labels[row] == []int{dataset.Bar, dataset.Stripe}[k%2] {
				v.CopyRow(k, t.Images.States, row)
				break
			}
		}
	}
	return v
}

// count counts the draws that are images, and the different images of each chain.
func (s *Sampling) count(images *dataset.Dataset) {
	known := map[string]bool{}
	for k := range images.States.Len {
		known[key(images.States, k)] = true
	}
	draws := s.record.Draws
	for c := range chains {
		seen := map[string]bool{}
		for d := range draws {
			if at := key(s.record.V, c*draws+d); known[at] {
				s.Valid += 1 / float64(chains*draws)
				seen[at] = true
			}
		}
		s.Images += float64(len(seen)) / chains
	}
}

// key is a configuration of spins as a map key.
func key(v *unit.States, k int) string {
	var b []byte
	for _, w := range v.BitRow(k) {
		for shift := 0; shift < 64; shift += 8 {
			b = append(b, byte(w>>shift))
		}
	}
	return string(b)
}
