package kernel

import (
	"slices"
	"testing"
)

// The assembly, of both widths, equals its twin to the last bit.
func TestNADEOutputAndInput(t *testing.T) {
	if !vector {
		t.Skip("no assembly")
	}
	r := source(9)
	for _, hidden := range []int{16, 32, 80} {
		a, w, x := randomFloats(r, 16*hidden), randomFloats(r, hidden), randomFloats(r, 16)
		want := slices.Clone(x)
		nadeOutputGo(want, a, w)
		fed := slices.Clone(a)
		nadeInputGo(fed, w, x)
		check := func(name string, output, input func(_, _, _ *float32, n int)) {
			z, to := slices.Clone(x), slices.Clone(a)
			output(&z[0], &a[0], &w[0], hidden/4)
			if !slices.Equal(z, want) {
				t.Errorf("%s: the output of %d hidden units differs", name, hidden)
			}
			if input(&to[0], &w[0], &x[0], hidden/4); !slices.Equal(to, fed) {
				t.Errorf("%s: %d hidden units get something else from an input", name, hidden)
			}
		}
		check("AVX2", nadeOutputAVX2, nadeInputAVX2)
		if vector512 {
			check("AVX-512", nadeOutputAVX512, nadeInputAVX512)
		}
	}
}

func TestNADEBack(t *testing.T) {
	if !vector {
		t.Skip("no assembly")
	}
	r := source(10)
	for _, size := range [][3]int{{1, 1, 1}, {7, 1, 1}, {5, 3, 2}, {4, 1, 3}} {
		n := NADE{Units: size[0], In: size[1], Out: size[2], Hidden: 48}
		in, out := n.Units*n.In, n.Units*n.Out
		n.W, n.V = randomFloats(r, in*48), randomFloats(r, out*48)
		n.DW, n.DV = randomFloats(r, in*48), randomFloats(r, out*48)
		a, g, x, e := randomFloats(r, 16*48), randomFloats(r, 16*48), randomFloats(r, in*16), randomFloats(r, out*16)
		run := func(back func(n *NADE, j int, a, g, x, e []float32)) []float32 {
			m := n
			m.DW, m.DV = slices.Clone(n.DW), slices.Clone(n.DV)
			a, g := slices.Clone(a), slices.Clone(g)
			for _, j := range []int{0, 32} {
				back(&m, j, a, g, x, e)
			}
			return slices.Concat(m.DW, m.DV, a, g)
		}
		want := run(nadeBackGo)
		if !slices.Equal(run(NADEBack), want) {
			t.Errorf("%v: the way back differs from its twin", size)
		}
		narrow := run(func(n *NADE, j int, a, g, x, e []float32) {
			w, v, X, E := (in-1)*48+j, (out-1)*48+j, (in-1)*16, (out-1)*16
			for c := 0; c < 16; c += 4 {
				for k := 0; k < 16; k += 8 {
					at := c*48 + j + k
					nadeBackAVX2(&a[at], &g[at], &n.W[w+k], &n.V[v+k], &n.DW[w+k], &n.DV[v+k], 4*48, &x[X+c], &e[E+c],
						n.Units, n.In, n.Out)
				}
			}
		})
		if !slices.Equal(narrow, want) {
			t.Errorf("%v: the way back with AVX2 differs from its twin", size)
		}
	}
}

func TestAdamFloats(t *testing.T) {
	if !vector {
		t.Skip("no assembly")
	}
	r := source(11)
	const n = 96
	theta, g, m, s := randomFloats(r, n), randomFloats(r, n), randomFloats(r, n), randomFloats(r, n)
	for i := range s {
		s[i] *= s[i]
	}
	run := func(step func(theta, g, m, s []float32)) []float32 {
		theta, m, s := slices.Clone(theta), slices.Clone(m), slices.Clone(s)
		step(theta, g, m, s)
		return slices.Concat(theta, m, s)
	}
	want := run(func(theta, g, m, s []float32) { adamFloatsGo(theta, g, m, s, 0.1, 0.9, 0.999, 1e-2, 1.1, 1e-8) })
	got := run(func(theta, g, m, s []float32) { AdamFloats(theta, g, m, s, 0.1, 0.9, 0.999, 1e-2, 1.1, 1e-8) })
	if !slices.Equal(got, want) {
		t.Error("Adam differs from its twin")
	}
	keep1, keep2 := float32(0.9), float32(0.999)
	narrow := run(func(theta, g, m, s []float32) {
		adamFloatsAVX2(&theta[0], &g[0], &m[0], &s[0], n/16, 0.1, keep1, 1-keep1, keep2, 1-keep2, 1e-2, 1.1, 1e-8)
	})
	if !slices.Equal(narrow, want) {
		t.Error("Adam with AVX2 differs from its twin")
	}
}
