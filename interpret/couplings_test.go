package interpret_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"instanton/internal/problem"
	"instanton/interpret"
	"instanton/rbm"
	"instanton/unit"
)

// The couplings are second differences of Σ_μ Γ_μ, averaged over weighted rows, in the zero-sum gauge: the inputs move
// by ε W_ia and ε W_jb.
func TestCouplingsAreSecondDerivatives(t *testing.T) {
	const step = 1e-3
	for _, pair := range problem.Pairs() {
		m := problem.Tiny(pair.Visible, pair.Hidden)
		spec := m.Visible.Spec()
		data, weights := someRows(spec, 5), []float64{1, 0.5, 2, 0, 1.5}
		c, err := interpret.NewCouplings(m, data, weights)
		if err != nil {
			t.Fatal(err)
		}
		q := spec.Channels()
		v, I := make([]float64, spec.N), make([]float64, m.Hidden.Spec().Width())
		second := func(a, b int) float64 {
			var sum, total float64
			for k, w := range weights {
				data.Values(v, k)
				m.Inputs(I, v)
				at := func(x, y float64) float64 {
					moved := slices.Clone(I)
					for mu := range moved {
						moved[mu] += x*m.Row(a)[mu] + y*m.Row(b)[mu]
					}
					return m.Hidden.CGF(moved)
				}
				sum += w * (at(step, step) - at(step, -step) - at(-step, step) + at(-step, -step)) / (4 * step * step)
				total += w
			}
			return sum / total
		}
		for i := range spec.N {
			for j := range spec.N {
				want := make([][]float64, q)
				for a := range want {
					want[a] = make([]float64, q)
					for b := range want[a] {
						want[a][b] = second(i*q+a, j*q+b)
					}
				}
				if spec.Type == unit.Potts {
					zeroSum(want)
				}
				for a, row := range c.Pair(i, j) {
					for b, x := range row {
						// The error of a second difference is of order step², plus 1e-16/step² from rounding.
						if math.Abs(x-want[a][b]) > 2e-5*(1+math.Abs(want[a][b])) {
							t.Errorf("%s: J_%d%d(%d,%d) is %g, want %g", pair, i, j, a, b, x, want[a][b])
						}
					}
				}
			}
		}
	}
}

// zeroSum subtracts means of rows and columns.
func zeroSum(x [][]float64) {
	n := float64(len(x))
	rows, columns, all := make([]float64, len(x)), make([]float64, len(x)), 0.0
	for a := range x {
		for b := range x {
			rows[a] += x[a][b] / n
			columns[b] += x[a][b] / n
			all += x[a][b] / (n * n)
		}
	}
	for a := range x {
		for b := range x {
			x[a][b] += all - rows[a] - columns[b]
		}
	}
}

// Gaussian hidden units with γ = 1 are a Hopfield model: J = W Wᵀ, whatever the data.
func TestCouplingsOfHopfield(t *testing.T) {
	m, err := rbm.New(unit.Spec{Type: unit.Spin, N: 3}, unit.Spec{Type: unit.Gaussian, N: 2})
	if err != nil {
		t.Fatal(err)
	}
	copy(m.W, []float64{1, 2, -1, 0.5, 3, 0})
	c, err := interpret.NewCouplings(m, unit.NewStates(m.Visible.Spec(), 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Scores(-1)
	for _, w := range []struct {
		i, j int
		want float64
	}{{0, 1, 0}, {0, 2, 3}, {1, 2, 3}, {2, 1, 3}, {1, 1, 0}} {
		if math.Abs(s[w.i][w.j]-w.want) > 1e-12 {
			t.Errorf("score %d, %d is %g, want %g", w.i, w.j, s[w.i][w.j], w.want)
		}
	}
	// Means of pairs: 1.5, 1.5 and 3, over all 2.
	a := interpret.APC(s)
	if math.Abs(a[0][1]-(0-1.5*1.5/2)) > 1e-12 || math.Abs(a[0][2]-(3-1.5*3/2)) > 1e-12 || a[2][2] != 0 {
		t.Errorf("corrected scores %v", a)
	}
	best := interpret.Scored{I: 0, J: 2, Score: s[0][2]}
	if r := interpret.Ranked(s, 1); len(r) != 3 || r[0] != best || r[2].J != 1 {
		t.Errorf("ranked %v", r)
	}
	if r := interpret.Ranked(s, 2); len(r) != 1 {
		t.Errorf("pairs two apart %v", r)
	}
}

func TestContacts(t *testing.T) {
	c, err := interpret.ReadContacts(strings.NewReader("i,j,distance\n# note\n11, 15, 7.9\n11 16 8.1\n12\t18\n"), 11, 8)
	if err != nil || len(c) != 2 || !c.Has(4, 0) || !c.Has(1, 7) || c.Has(0, 5) {
		t.Errorf("%v, %v", c, err)
	}
	if w := c.Within(8, 5); len(w) != 1 || !w.Has(1, 7) {
		t.Errorf("at least five apart: %v", w)
	}
	ppv := interpret.Precision([]interpret.Scored{{I: 0, J: 4}, {I: 0, J: 5}, {I: 1, J: 7}}, c)
	if !slices.Equal(ppv, []float64{1, 0.5, 2.0 / 3}) {
		t.Errorf("PPV %v", ppv)
	}
	for _, bad := range []string{"1\n", "1 2\nx 3\n", "1 2 near\n"} {
		if _, err := interpret.ReadContacts(strings.NewReader(bad), 1, 8); err == nil {
			t.Errorf("%q was not refused", bad)
		}
	}
}

// Three residues of chain A: 5 and 7 touch by heavy atoms, 6 only by a hydrogen and by a second place of an atom.
const tinyPDB = `HEADER    TEST
ATOM      1  CA  ALA A   5       0.000   0.000   0.000  1.00  0.00           C
ATOM      2  CA  GLY A   6      20.000   0.000   0.000  1.00  0.00           C
ATOM      3  HA  GLY A   6       1.000   0.000   0.000  1.00  0.00           H
ATOM      4  CB BGLY A   6       1.000   0.000   0.000  1.00  0.00           C
ATOM      5  CB  SER A   7       0.000   7.500   0.000  1.00  0.00           C
ATOM      6  CB  SER B   8       0.000   0.000   1.000  1.00  0.00           C
ENDMDL
ATOM      7  CB  SER A   9       0.000   0.000   1.000  1.00  0.00           C
`

// The same atoms in the other format.
const tinyMMCIF = `data_TEST
#
loop_
_atom_site.group_PDB
_atom_site.type_symbol
_atom_site.label_alt_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.pdbx_PDB_model_num
ATOM C . A 5 0.0 0.0 0.0 1
ATOM C . A 6 20.0 0.0 0.0 1
ATOM H . A 6 1.0 0.0 0.0 1
ATOM C B A 6 1.0 0.0 0.0 1
ATOM C . A 7 0.0 7.5 0.0 1
ATOM C . B 8 0.0 0.0 1.0 1
ATOM C . A 9 0.0 0.0 1.0 2
#
_other.thing 3
`

func TestStructures(t *testing.T) {
	for format, text := range map[string]string{"PDB": tinyPDB, "mmCIF": tinyMMCIF} {
		c, err := interpret.ReadStructure(strings.NewReader(text), "", 5, 8)
		if err != nil || len(c) != 1 || !c.Has(0, 2) {
			t.Errorf("%s: %v, %v", format, c, err)
		}
		if _, err := interpret.ReadStructure(strings.NewReader(text), "C", 5, 8); err == nil ||
			!strings.Contains(err.Error(), `expected one of ["A" "B"]`) {
			t.Errorf("%s, another chain: %v", format, err)
		}
	}
	for _, bad := range []string{"ATOM   1 CA\n", "data_x\n_atom_site.id\n_atom_site.x\nATOM\n", ""} {
		if _, err := interpret.ReadStructure(strings.NewReader(bad), "", 5, 8); err == nil {
			t.Errorf("%q was not refused", bad)
		}
	}
}
