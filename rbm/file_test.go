package rbm_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"instanton/internal/npy"
	"instanton/internal/problem"
	"instanton/rbm"
	"instanton/unit"
)

func encode(t testing.TB, m *rbm.RBM) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(data []byte) (*rbm.RBM, error) {
	return rbm.Read(bytes.NewReader(data), int64(len(data)))
}

func TestModelRoundTrip(t *testing.T) {
	forPairs(t, func(t *testing.T, m *rbm.RBM) {
		back, err := decode(encode(t, m))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m, back) {
			t.Errorf("wrote %+v, read %+v", m, back)
		}
	})
	p, _ := rbm.OrthogonalPatterns(8, 2)
	m, _ := rbm.Hopfield(p, 1.5)
	back, err := decode(encode(t, m))
	if err != nil || !back.Patterns.Equal(p) || back.Info["w"] != "1.5" {
		t.Errorf("read %+v, error %v", back, err)
	}
}

func TestSaveIsAtomicAndCareful(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.npz")
	m := problem.Tiny(unit.Spin, unit.Gaussian)
	if err := m.Save(path, false); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	if err := m.Save(path, false); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("second save: error %v", err)
	}
	m.W[0] = math.NaN()
	if err := m.Save(path, true); err == nil {
		t.Error("NaN weights were written")
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a refused save changed the file")
	}
	if _, err := rbm.Load(path); err != nil {
		t.Error(err)
	}
}

// archive builds a model file by hand.
func archive(t testing.TB, meta string, arrays ...npy.Member) []byte {
	t.Helper()
	var b bytes.Buffer
	members := arrays
	if meta != "" {
		members = append([]npy.Member{npy.FileMember("meta.json", []byte(meta))}, arrays...)
	}
	if err := npy.WriteArchive(&b, members...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	metaStart = `{"format": "instanton-model", "version": 1, `
	goodMeta  = metaStart + `"visible": {"type": "spin", "n": 2}, "hidden": {"type": "gaussian", "n": 1}}`
	pottsMeta = metaStart + `"visible": {"type": "potts", "n": 2, "q": 3}, "hidden": {"type": "spin", "n": 1}}`
)

func vec(name string, x ...float64) npy.Member { return npy.ArrayMember(name, npy.New(x)) }

func TestModelFilesRefused(t *testing.T) {
	w := npy.ArrayMember("W", npy.New([]float64{1, 2}, 2, 1))
	fields, gamma, theta := vec("v.fields", 0, 0), vec("h.gamma", 1), vec("h.theta", 0)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"no meta", archive(t, "", w, fields, gamma, theta), "there is no meta.json"},
		{"not JSON", archive(t, "{", w), "not valid JSON"},
		{"other format", archive(t, `{"format": "instanton-data", "version": 1}`, w), `expected "instanton-model"`},
		{"newer", archive(t, strings.Replace(goodMeta, `"version": 1`, `"version": 2`, 1), w), "version 2"},
		{"unknown key", archive(t, strings.Replace(goodMeta, `"hidden"`, `"hiden"`, 1), w), "hiden"},
		{"unknown units", archive(t, strings.Replace(goodMeta, "spin", "spun", 1), w), "unknown unit type"},
		{"q = 1", archive(t, strings.Replace(pottsMeta, `"q": 3`, `"q": 1`, 1), w), "q = 1"},
		{"no weights", archive(t, goodMeta, fields, gamma, theta), `no array "W"`},
		{"wrong shape", archive(t, goodMeta, npy.ArrayMember("W", npy.New([]float64{1, 2}, 1, 2)),
			fields, gamma, theta), "W have shape [1 2]: expected [2 1]"},
		{"huge size", archive(t, strings.Replace(goodMeta, `"n": 2`, `"n": 9999999`, 1), w, fields, gamma, theta),
			"W have shape"},
		{"no theta", archive(t, goodMeta, w, fields, gamma), `no array "h.theta"`},
		{"misspelt", archive(t, goodMeta, w, fields, gamma, theta, vec("h.gama", 1)), `"h.gama"`},
		{"long fields", archive(t, goodMeta, w, vec("v.fields", 0, 0, 0), gamma, theta), "v.fields has shape [3]"},
		{"NaN weights", archive(t, goodMeta, npy.ArrayMember("W", npy.New([]float64{math.NaN(), 2}, 2, 1)),
			fields, gamma, theta), "W[0,0] is NaN"},
		{"negative gamma", archive(t, goodMeta, w, fields, vec("h.gamma", -1), theta), "gamma[0] is -1"},
		{"bad pattern", archive(t, goodMeta, w, fields, gamma, theta,
			npy.ArrayMember("patterns", npy.New([]int8{1, 0}, 1, 2))), "patterns: configuration 0, unit 1"},
		{"not a zip", []byte("hello"), "zip"},
		{"truncated", encode(t, problem.Tiny(unit.Spin, unit.Spin))[:300], ""},
	} {
		if _, err := decode(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := decode(archive(t, goodMeta, w, fields, gamma, theta)); err != nil {
		t.Errorf("the good file: %v", err)
	}
	for _, shape := range [][]int{{6, 1}, {2, 3, 1}} { // Potts weights as a matrix or with the states apart
		potts := archive(t, pottsMeta, npy.ArrayMember("W", npy.New(make([]float32, 6), shape...)),
			npy.ArrayMember("v.fields", npy.New(make([]float32, 6), 2, 3)), vec("h.fields", 0))
		if _, err := decode(potts); err != nil {
			t.Errorf("Potts weights of shape %v: %v", shape, err)
		}
	}
}

// A model written here opens with numpy.load; one written with numpy by the documented layout opens here.
func TestNumpyAgrees(t *testing.T) {
	python := numpy(t)
	dir := t.TempDir()
	m := problem.Tiny(unit.Potts, unit.DReLU)
	if err := m.Save(filepath.Join(dir, "ours.npz"), false); err != nil {
		t.Fatal(err)
	}
	script := `
import io, json, zipfile, numpy as np
f = np.load("ours.npz")
meta = json.loads(f["meta.json"])
assert meta["format"] == "instanton-model" and meta["visible"] == {"type": "potts", "n": 2, "q": 3}, meta
W = f["W"].reshape(2, 3, 1)
assert W.dtype == np.float64 and f["h.gamma_plus"].shape == (1,), f.files
# E_eff(v) for one v, to be compared with the library's.
v = [2, 0]
I = sum(W[i, a] for i, a in enumerate(v))
print("%.17g" % I[0])
# A spin-Gaussian model written with numpy alone.
np.savez("arrays.npz", **{"W": np.full((4, 1), 0.25, np.float32), "v.fields": np.zeros(4),
    "h.gamma": np.ones(1), "h.theta": np.zeros(1)})
with zipfile.ZipFile("arrays.npz", "a") as z:
    z.writestr("meta.json", json.dumps({"format": "instanton-model", "version": 1,
        "visible": {"type": "spin", "n": 4}, "hidden": {"type": "gaussian", "n": 1}}))
`
	run := exec.Command(python, "-c", script)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("numpy: %v\n%s", err, out)
	}
	I := make([]float64, 1)
	m.Inputs(I, []float64{2, 0})
	if got := strings.TrimSpace(string(out)); got != formatFloat(I[0]) {
		t.Errorf("numpy computes the input %s, we %s", got, formatFloat(I[0]))
	}
	theirs, err := rbm.Load(filepath.Join(dir, "arrays.npz"))
	if err != nil {
		t.Fatal(err)
	}
	logZ, _, err := rbm.LogZ(theirs)
	if err != nil {
		t.Fatal(err)
	}
	cw, _ := rbm.CurieWeiss(4, 0.5) // weights 0.5/√4
	want, _, _ := rbm.LogZ(cw)
	near(t, "log Z of the model from numpy", logZ, want, 1e-13)
}

func FuzzRead(f *testing.F) {
	f.Add(encode(f, problem.Tiny(unit.Spin, unit.Gaussian)))
	f.Add(encode(f, problem.Tiny(unit.Potts, unit.DReLU)))
	f.Add(archive(f, goodMeta, vec("W", 1)))
	f.Add(archive(f, pottsMeta))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decode(data)
		if err != nil {
			return
		}
		back, err := decode(encode(t, m)) // whatever is read can be written and read again
		if err != nil || !reflect.DeepEqual(m, back) {
			t.Errorf("read %+v, then %+v, %v", m, back, err)
		}
	})
}

// FuzzMeta puts any text into meta.json of an otherwise good file, which the checksums of a zip keep the fuzzer above
// from doing.
func FuzzMeta(f *testing.F) {
	f.Add(goodMeta)
	f.Add(pottsMeta)
	f.Add(metaStart + `"visible": {"type": "potts", "n": 1073741824, "q": 256}, "hidden": {"type": "spin", "n": 1}}`)
	f.Fuzz(func(t *testing.T, text string) {
		data := archive(t, text+" ", npy.ArrayMember("W", npy.New([]float64{1, 2}, 2, 1)),
			vec("v.fields", 0, 0), vec("h.gamma", 1), vec("h.theta", 0))
		if m, err := decode(data); err == nil {
			if err := m.Validate(); err != nil {
				t.Errorf("%s read, but: %v", text, err)
			}
		}
	})
}
