package interchange_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/interchange"
	"instanton/rbm"
	"instanton/unit"
)

// peer is what another program says of its model.
type peer struct {
	V      [][]float64
	Energy []float64
}

func peers(t *testing.T) map[string]peer {
	t.Helper()
	text, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]peer
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPeers compares differences of energies, that is ratios of P(v), with those of the programs that the files come
// from (testdata/make.py); a constant of the energy has no meaning. The tolerance is the rounding of float32, in which
// PyTorch computes.
func TestPeers(t *testing.T) {
	formats := map[string]interchange.Format{
		"rbms_": interchange.RBMs, "julia": interchange.Julia, "pgm_d": interchange.PGM, "pgm_g": interchange.PGM,
		"motif": interchange.PGM, "sklea": interchange.Sklearn, "torch.pt": interchange.Torch,
		"torch.safetensors": interchange.Safetensors, "array": interchange.Arrays,
	}
	for name, want := range peers(t) {
		t.Run(name, func(t *testing.T) {
			m, format, err := interchange.Read(filepath.Join("testdata", name), interchange.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for prefix, f := range formats {
				if strings.HasPrefix(name, prefix) && f != format {
					t.Errorf("read as %s, want %s", format, f)
				}
			}
			zero := m.EffectiveEnergy(want.V[0])
			for k, v := range want.V {
				got, expect := m.EffectiveEnergy(v)-zero, want.Energy[k]-want.Energy[0]
				if math.Abs(got-expect) > 1e-5*(1+math.Abs(expect)) {
					t.Errorf("row %d: energy %.8f above that of the first, want %.8f", k, got, expect)
				}
			}
		})
	}
}

// TestRoundTrips writes models of every pair of unit types in every format that has a place for them, and reads them.
func TestRoundTrips(t *testing.T) {
	written := map[interchange.Format]int{}
	for _, vt := range unit.Types() {
		for _, ht := range unit.Types() {
			v, h := unit.Spec{Type: vt, N: 4}, unit.Spec{Type: ht, N: 3}
			if vt == unit.Potts {
				v.Q = 3
			}
			if ht == unit.Potts {
				h.Q = 2
			}
			m := random(t, v, h)
			for _, format := range interchange.Writable() {
				var b bytes.Buffer
				if err := interchange.Write(&b, m, format); err != nil {
					if !strings.Contains(err.Error(), "expected") {
						t.Errorf("%s, %s with %s: %v", format, v, h, err)
					}
					continue
				}
				o := interchange.Options{}
				if format == interchange.Arrays {
					o.Visible, o.Hidden = vt.String(), ht.String()
				}
				got, from, err := interchange.ReadFrom(bytes.NewReader(b.Bytes()), int64(b.Len()), o)
				if err != nil || from != format {
					t.Errorf("%s, %s with %s: read as %s, %v", format, v, h, from, err)
					continue
				}
				written[format]++
				same(t, string(format), got, m)
			}
		}
	}
	want := map[interchange.Format]int{interchange.RBMs: 3, interchange.Julia: 30, interchange.Safetensors: 36,
		interchange.Sklearn: 1, interchange.Arrays: 6}
	for format, n := range want {
		if written[format] != n {
			t.Errorf("%s was written for %d pairs of types, want %d", format, written[format], n)
		}
	}
}

// same compares two models up to float32, the precision of rbms.
func same(t *testing.T, name string, got, want *rbm.RBM) {
	t.Helper()
	if got.Visible.Spec() != want.Visible.Spec() || got.Hidden.Spec() != want.Hidden.Spec() {
		t.Errorf("%s: %s with %s became %s with %s", name, want.Visible.Spec(), want.Hidden.Spec(), got.Visible.Spec(),
			got.Hidden.Spec())
		return
	}
	near := func(what string, x, y []float64) {
		for i := range y {
			if math.Abs(x[i]-y[i]) > 1e-6*(1+math.Abs(y[i])) {
				t.Errorf("%s, %s with %s: %s[%d] is %g, want %g", name, want.Visible.Spec(), want.Hidden.Spec(), what,
					i, x[i], y[i])
				return
			}
		}
	}
	near("W", got.W, want.W)
	for k, p := range want.Visible.Params() {
		near("v."+p.Name, got.Visible.Params()[k].Data, p.Data)
	}
	for k, p := range want.Hidden.Params() {
		near("h."+p.Name, got.Hidden.Params()[k].Data, p.Data)
	}
}

func TestTrajectory(t *testing.T) {
	path := filepath.Join("testdata", "rbms_bernoulli.h5")
	last, _, err := interchange.Read(path, interchange.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := interchange.Read(path, interchange.Options{Update: 10})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(first.W[0]-last.W[0]/2) > 1e-7 || first.Info["imported_update"] != "10" {
		t.Errorf("update 10 has weight %g and %v, the last %g", first.W[0], first.Info, last.W[0])
	}
	if _, _, err := interchange.Read(path, interchange.Options{Update: 11}); err == nil {
		t.Error("update 11 was read")
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own := filepath.Join(dir, "own.npz")
	m := random(t, unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.Spin, N: 2})
	if err := m.Save(own, false); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"testdata/evil.pkl":                      `"os.system", which is no part`,
		write("text", "hello, world"):            "expected HDF5",
		write("empty", ""):                       "expected HDF5",
		own:                                      "a file of this program already",
		"../internal/hdf5/testdata/earliest.h5":  "expected groups update_N",
		write("zip", "PK\x03\x04 and no more"):   "cut short",
		filepath.Join(dir, "there is no file"):   "no such file",
		write("array.npy", "\x93NUMPY\x01\x00x"): "a single array",
	} {
		_, _, err := interchange.Read(path, interchange.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
	if _, err := interchange.ParseFormat("pgm"); err == nil || !strings.Contains(err.Error(), "not written") {
		t.Errorf("format pgm: %v", err)
	}
}

// TestAlphabet: 21 states of PGM end with the gap, those of rbms start with it.
func TestAlphabet(t *testing.T) {
	m := random(t, unit.Spec{Type: unit.Potts, N: 2, Q: 21}, unit.Spec{Type: unit.Bernoulli, N: 2})
	var b bytes.Buffer
	if err := interchange.Write(&b, m, interchange.RBMs); err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(b.Bytes())
	got, _, err := interchange.ReadFrom(r, int64(b.Len()), interchange.Options{})
	if err != nil || got.Info["alphabet"] != dataset.ProteinGap {
		t.Errorf("alphabet %q, %v", got.Info["alphabet"], err)
	}
	got, _, err = interchange.ReadFrom(r, int64(b.Len()), interchange.Options{Alphabet: "protein-gap-last"})
	if err != nil || got.Info["alphabet"] != dataset.ProteinGapLast {
		t.Errorf("alphabet %q, %v", got.Info["alphabet"], err)
	}
}

// FuzzRead: whatever a file holds, it is read as a valid model or refused.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*")
	for _, name := range files {
		if slices.Contains([]string{".json", ".py"}, filepath.Ext(name)) {
			continue
		}
		if file, err := os.ReadFile(name); err == nil {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		m, _, err := interchange.ReadFrom(bytes.NewReader(file), int64(len(file)), interchange.Options{})
		if err == nil && m.Validate() != nil {
			t.Fatal(m.Validate())
		}
	})
}

// random is a model with parameters of every sign.
func random(t *testing.T, v, h unit.Spec) *rbm.RBM {
	t.Helper()
	m, err := rbm.Random(v, h, 0.1, 7)
	if err != nil {
		t.Fatal(err)
	}
	for k, l := range []rbm.Layer{m.Visible, m.Hidden} {
		for j, p := range l.Params() {
			for i := range p.Data {
				x := math.Sin(float64(1 + 7*k + 3*j + i))
				if p.Positive {
					x = 1.5 + x/2
				}
				p.Data[i] = x
			}
		}
	}
	return m
}
