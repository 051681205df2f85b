package landscape_test

import (
	"fmt"
	"log"
	"math"

	"instanton/landscape"
	"instanton/rbm"
)

// The hidden unit of a Curie–Weiss model below its critical temperature has two minima, one for
// each sign of the magnetization.
func Example() {
	m, err := rbm.CurieWeiss(128, 1.5)
	if err != nil {
		log.Fatal(err)
	}
	l, err := landscape.New(m, []int{0}, []float64{0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d minima at |h| = %.2f\n", len(l.Minima), math.Abs(l.Minima[0].H[0]))
	fmt.Printf("barrier %.4f per visible unit\n", l.E[0][len(l.X)/2])
	// Output:
	// 2 minima at |h| = 16.55
	// barrier 0.4435 per visible unit
}
