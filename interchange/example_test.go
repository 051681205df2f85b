package interchange_test

import (
	"fmt"

	"instanton/interchange"
)

// A trajectory that rbms wrote during a training: the last model is read unless another is asked for.
func ExampleRead() {
	m, format, err := interchange.Read("testdata/rbms_potts.h5", interchange.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(format, m.Visible.Spec(), m.Hidden.Spec(), m.Info["imported_update"])
	// Output: rbms potts:6x4 bernoulli:3 200
}
