package lattice

import "testing"

const benchSequence = "EKAMPAMDPDMAHEHKKKIRAWMFEGE"

func BenchmarkEnumerate(b *testing.B) {
	for b.Loop() {
		Enumerate()
	}
}

func BenchmarkCompetitors(b *testing.B) {
	s := Enumerate()
	for b.Loop() {
		s.All()
	}
}

// P_nat from scratch, on one core.
func BenchmarkPnat(b *testing.B) {
	each(b, func(b *testing.B, c *Competitors, v Sequence) {
		for b.Loop() {
			c.Pnat(20706, v)
		}
	})
}

// P_nat of a sequence with one mutation, as needed by a Metropolis step.
func BenchmarkMutant(b *testing.B) {
	each(b, func(b *testing.B, c *Competitors, v Sequence) {
		f := folding(b, c, v)
		for i := 0; b.Loop(); i++ {
			f.Mutant(i%Length, uint8(i%Residues))
		}
	})
}

// A mutation that is kept.
func BenchmarkMutate(b *testing.B) {
	each(b, func(b *testing.B, c *Competitors, v Sequence) {
		f := folding(b, c, v)
		for i := 0; b.Loop(); i++ {
			f.Mutate(i%Length, uint8(i%Residues))
		}
	})
}

// P_nat for all residues at one position, as needed by a heat bath.
func BenchmarkMutants(b *testing.B) {
	each(b, func(b *testing.B, c *Competitors, v Sequence) {
		f := folding(b, c, v)
		var p [Residues]float64
		for i := 0; b.Loop(); i++ {
			f.Mutants(i%Length, &p)
		}
	})
}

// each runs a benchmark against all structures and against every tenth.
func each(b *testing.B, run func(b *testing.B, c *Competitors, v Sequence)) {
	s := Enumerate()
	v, err := ParseSequence(benchSequence)
	if err != nil {
		b.Fatal(err)
	}
	var tenth []int
	for i := 6; i < s.Len(); i += 10 {
		tenth = append(tenth, i)
	}
	few, err := s.Competitors(tenth)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("all", func(b *testing.B) { run(b, s.All(), v) })
	b.Run("tenth", func(b *testing.B) { run(b, few, v) })
}

func folding(b *testing.B, c *Competitors, v Sequence) *Folding {
	f, err := NewFolding(c, 20706)
	if err != nil {
		b.Fatal(err)
	}
	f.Set(v)
	return f
}
