package dataset_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instanton/dataset"
	"instanton/unit"
)

func TestReadTable(t *testing.T) {
	for _, c := range []struct {
		text, spec string
		values     []float64 // of the last configuration
	}{
		{"0,1,1\n1,0,0\n", "bernoulli:3", []float64{1, 0, 0}},
		{"1 -1\n-1 -1\n", "spin:2", []float64{-1, -1}},
		{"1;1\n1;-1", "spin:2", []float64{1, -1}},
		{"0\t2\n\n# remark\n3\t1\n", "potts:2x4", []float64{3, 1}},
		{"200,3\n0,255\n", "potts:2x256", []float64{0, 255}},
		{"0.5,1\n-3,2e3", "gaussian:2", []float64{-3, 2000}},
		{"200,1\n-1,1", "gaussian:2", []float64{-1, 1}},
		{"-1,5\n0,300", "gaussian:2", []float64{0, 300}},
		{"1.0, 0.0\r\n0.0, 1.0\r\n", "bernoulli:2", []float64{0, 1}},
		{"a,b\n0,1\n", "bernoulli:2", []float64{0, 1}},
		{"\ufeff1,0\n0,1\n", "bernoulli:2", []float64{0, 1}},
	} {
		d, err := dataset.ReadTable(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		got := make([]float64, d.States.N)
		d.States.Values(got, d.States.Len-1)
		if d.States.Spec.String() != c.spec || !slices.Equal(got, c.values) {
			t.Errorf("%q: %s ending in %v, want %s in %v", c.text, d.States.Spec, got, c.spec, c.values)
		}
	}
}

func TestReadTableLabels(t *testing.T) {
	d, err := dataset.ReadTable(strings.NewReader("x,\"Class\",y,weight\n0,dog,1,0.5\n1,cat,1,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d.States.N != 2 || !slices.Equal(d.Labels, []int{1, 0}) || !slices.Equal(d.LabelNames, []string{"cat", "dog"}) ||
		!slices.Equal(d.Weights, []float64{0.5, 2}) {
		t.Errorf("read %+v", d)
	}
}

func TestReadTableRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "no line of numbers",
		"# nothing\n":               "no line of numbers",
		"hello world\n":             "no line of numbers",
		"0,1\n0\n":                  "line 2 ends after column 1: expected 2 columns",
		"0,1\n0,1,1\n":              "line 2 goes on after column 2",
		"0,1\n0,x\n":                `line 2, column 2: "x" is not a finite number`,
		"0,1\n0,\n":                 "line 2, column 2",
		"0,nan\n":                   "not a finite number",
		"0,inf\n":                   "not a finite number",
		"label,weight\n1,2\n":       "0 columns of values",
		"v,label\n1,\n":             "line 2, column 2: the label is missing",
		"v,weight\n1,-3\n0,1\n":     "weight 0 is -3",
		"v,w\n\n1,1e400\n":          "line 3, column 2",
		"0.5,1\n2,-1e39\n":          `line 2, column 2: "-1e39" is too large`,
		"v,label,class\n1,0,0\n":    `line 1, column 3 is "class" again`,
		"v,weight,weight\n1,1,1\n":  `line 1, column 3 is "weight" again`,
		"0,1\n\x00\n":               "line 2",
		"1,0\n2,3 # not a remark\n": "line 2, column 2",
	} {
		if _, err := dataset.ReadTable(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestTableRoundTrip(t *testing.T) {
	for _, spec := range []unit.Spec{{Type: unit.Spin, N: 9}, {Type: unit.Bernoulli, N: 65},
		{Type: unit.Potts, N: 7, Q: 21}, {Type: unit.Gaussian, N: 4}} {
		for _, labelled := range []bool{false, true} {
			d := &dataset.Dataset{States: unit.NewStates(spec, 50)}
			if spec.Type.Discrete() {
				d.States = related(spec, 50, 1)
			} else {
				for k := range d.States.Reals {
					d.States.Reals[k] = float32(k)/7 - 3
				}
			}
			if labelled {
				for k := range 50 {
					d.Labels, d.Weights = append(d.Labels, k%3), append(d.Weights, float64(k)/3)
				}
			}
			path := filepath.Join(t.TempDir(), "x.csv.gz")
			if err := d.Save(path, false); err != nil {
				t.Fatal(err)
			}
			got, err := dataset.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if !got.States.Equal(d.States) || !slices.Equal(got.Labels, d.Labels) ||
				!slices.Equal(got.Weights, d.Weights) {
				t.Errorf("%s came back as %+v", spec, got)
			}
		}
	}
}
