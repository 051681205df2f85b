// Package kernels finds Markov kernels by the names that commands and configuration files use.
package kernels

import (
	"fmt"
	"strings"

	"instanton/latent"
	"instanton/rbm"
	"instanton/sampler"
)

// named lists the kernels, each with its default options.
var named = []struct {
	name string
	make func(m *rbm.RBM, beta float64) (sampler.Kernel, error)
}{
	{"gibbs", func(m *rbm.RBM, beta float64) (sampler.Kernel, error) { return sampler.NewGibbs(m, beta) }},
	{"metropolis", func(m *rbm.RBM, beta float64) (sampler.Kernel, error) { return sampler.NewMetropolis(m, beta) }},
	{"glauber", func(m *rbm.RBM, beta float64) (sampler.Kernel, error) { return sampler.NewGlauber(m, beta) }},
	{"latent", func(m *rbm.RBM, beta float64) (sampler.Kernel, error) { return latent.New(m, beta, latent.Options{}) }},
}

// New returns the kernel of the given name.
func New(name string, m *rbm.RBM, beta float64) (sampler.Kernel, error) {
	for _, k := range named {
		if k.name != name {
			continue
		}
		kernel, err := k.make(m, beta)
		if err != nil {
			return nil, err
		}
		return kernel, nil
	}
	names := Names()
	last := len(names) - 1
	return nil, fmt.Errorf("unknown sampler %q: expected %s or %s", name, strings.Join(names[:last], ", "), names[last])
}

// Names lists the names that New knows.
func Names() []string {
	var names []string
	for _, k := range named {
		names = append(names, k.name)
	}
	return names
}
