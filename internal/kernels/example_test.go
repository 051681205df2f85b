package kernels_test

import (
	"fmt"
	"strings"

	"instanton/internal/kernels"
	"instanton/rbm"
	"instanton/sampler"
)

// A kernel by its name, as a command or a configuration file gives it.
func ExampleNew() {
	model, err := rbm.CurieWeiss(16, 1.2)
	if err != nil {
		panic(err)
	}
	kernel, err := kernels.New("metropolis", model, 1, kernels.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(sampler.Name(kernel), kernel.Beta())
	_, err = kernels.New("metro", model, 1, kernels.Options{})
	what, _, _ := strings.Cut(err.Error(), ":")
	fmt.Println(what)
	// Output:
	// metropolis 1
	// unknown sampler "metro"
}
