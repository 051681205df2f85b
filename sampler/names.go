package sampler

import (
	"fmt"
	"strings"

	"instanton/rbm"
)

// registered are the kernels that have a name, as configuration files and commands use them.
var registered = []struct {
	name string
	make func(m *rbm.RBM, beta float64) (Kernel, error)
}{
	{"gibbs", func(m *rbm.RBM, beta float64) (Kernel, error) { return asKernel(NewGibbs(m, beta)) }},
	{"metropolis", func(m *rbm.RBM, beta float64) (Kernel, error) { return asKernel(NewMetropolis(m, beta)) }},
	{"glauber", func(m *rbm.RBM, beta float64) (Kernel, error) { return asKernel(NewGlauber(m, beta)) }},
}

// Register gives a kernel a name that New knows, in the init function of its package: importing
// package latent adds "latent". It panics if the name is taken.
func Register(name string, make func(m *rbm.RBM, beta float64) (Kernel, error)) {
	for _, r := range registered {
		if r.name == name {
			panic("sampler: two kernels are named " + name)
		}
	}
	registered = append(registered, struct {
		name string
		make func(m *rbm.RBM, beta float64) (Kernel, error)
	}{name, make})
}

// New returns the kernel of the given name.
func New(name string, m *rbm.RBM, beta float64) (Kernel, error) {
	for _, r := range registered {
		if r.name == name {
			return r.make(m, beta)
		}
	}
	names := Names()
	last := len(names) - 1
	return nil, fmt.Errorf("unknown sampler %q: expected %s or %s", name, strings.Join(names[:last], ", "), names[last])
}

// Names are those that New knows.
func Names() []string {
	var names []string
	for _, r := range registered {
		names = append(names, r.name)
	}
	return names
}

// asKernel keeps a nil pointer from becoming an interface that is not nil.
func asKernel[K Kernel](k K, err error) (Kernel, error) {
	if err != nil {
		return nil, err
	}
	return k, nil
}
