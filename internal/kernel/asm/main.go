// Command asm writes the AVX2 assembly of package kernel. Each piece becomes one NAME_amd64.s with its stubs in
// NAME_amd64.go; the go:generate lines of package kernel say how to call it.
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

// pieces are the assembly files, each a set of related functions.
var pieces = map[string]func(){
	"philox":  philox,
	"fields":  fields,
	"bits":    bits,
	"gemm":    gemm,
	"reals":   reals,
	"codes":   codes,
	"latent":  latent,
	"density": density,
	"tiles":   tiles,
	"means":   means,
	"ascent":  ascent,
	"nade":    nade,
}

func main() {
	piece := flag.String("piece", "", "the assembly file to write")
	flag.Parse()
	write, ok := pieces[*piece]
	if !ok {
		log.Fatalf("unknown piece %q", *piece)
	}
	ConstraintExpr("!noasm")
	write()
	Generate()
}
