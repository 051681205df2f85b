package train

import (
	"bytes"
	"context"
	"testing"

	"instanton/internal/npy"
	"instanton/unit"
)

// FuzzRestore puts any description and any numbers into a checkpoint: Restore fails with a sentence, or leaves a
// trainer that can continue.
func FuzzRestore(f *testing.F) {
	spec := unit.Spec{Type: unit.Spin, N: 2}
	start := func() *Trainer {
		data := unit.NewStates(spec, 4)
		data.SetValues(1, []float64{1, -1})
		data.SetValues(2, []float64{1, 1})
		cfg := Default()
		cfg.Chains = 2
		tr, err := cfg.New(unit.Spec{Type: unit.Gaussian, N: 1}, Data{States: data}, 1)
		if err != nil {
			panic(err)
		}
		return tr
	}
	about := `{"format":"instanton-checkpoint","version":1,"visible":{"type":"spin","n":2},` +
		`"hidden":{"type":"gaussian","n":1},"updates":3,"sweep":3,"seed":1,"seconds":0.5}`
	f.Add(about, 0.5, []byte{1, 255, 255, 1})
	f.Add(`{"format":"instanton-checkpoint","version":2}`, 0.0, []byte{})
	f.Add("", -1.0, []byte{0})
	f.Fuzz(func(t *testing.T, about string, x float64, chains []byte) {
		tr := start()
		members := []npy.Member{npy.FileMember("meta.json", []byte(about))}
		for _, a := range tr.arrays() {
			data := make([]float64, len(a.data))
			for i := range data {
				data[i] = x
			}
			members = append(members, npy.ArrayMember(a.name, npy.New(data, a.shape...)))
		}
		v := make([]int8, len(chains)/2*2)
		for i := range v {
			v[i] = int8(chains[i])
		}
		counts := []uint64{1, 2}
		members = append(members, npy.ArrayMember("chains.v", npy.New(v, len(v)/2, 2)),
			npy.ArrayMember("chains.proposed", npy.New(counts)), npy.ArrayMember("chains.accepted", npy.New(counts)))
		var b bytes.Buffer
		if err := npy.WriteArchive(&b, members...); err != nil {
			t.Fatal(err)
		}
		if _, err := tr.Restore(bytes.NewReader(b.Bytes()), int64(b.Len())); err == nil && tr.Updates() < tr.Total() {
			_ = tr.Update(context.Background()) // may diverge, must not panic
		}
	})
}
