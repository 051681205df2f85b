package lattice

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"instanton/internal/rng"
)

// Choice says which structures compete: all of them, a number of random ones, or those listed in a file.
type Choice struct {
	Count int    // of random structures; otherwise 0
	Seed  uint64 // for the random structures
	File  string // with one index per line; otherwise empty
}

// ParseChoice reads "full", "random:N:SEED" or the name of a file.
func ParseChoice(text string) (c Choice, err error) {
	switch kind, rest, _ := strings.Cut(text, ":"); {
	case text == "full":
		return c, nil
	case text == "":
		return c, fmt.Errorf("no competitors: expected full, random:N:SEED or a file of indices")
	case kind != "random":
		return Choice{File: text}, nil
	default:
		n, seed, _ := strings.Cut(rest, ":")
		c.Count, err = strconv.Atoi(n)
		if err != nil || c.Count < 1 || c.Count > NumStructures {
			return Choice{}, fmt.Errorf("competitors %q: expected random:N:SEED with N from 1 to %d", text,
				NumStructures)
		}
		if c.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
			return Choice{}, fmt.Errorf("competitors %q: expected random:N:SEED with a whole number as SEED", text)
		}
		return c, nil
	}
}

// String writes the choice in the form that ParseChoice reads.
func (c Choice) String() string {
	switch {
	case c.File != "":
		return c.File
	case c.Count > 0:
		return fmt.Sprintf("random:%d:%d", c.Count, c.Seed)
	}
	return "full"
}

// Of returns the chosen structures.
func (c Choice) Of(s *Space) (*Competitors, error) {
	switch {
	case c.File != "":
		f, err := os.Open(c.File)
		if err != nil {
			return nil, fmt.Errorf("competitors: %w; expected full, random:N:SEED or a file of indices", err)
		}
		defer f.Close()
		set, err := s.read(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
		return set, nil
	case c.Count > 0:
		return s.Competitors(rng.New(c.Seed, rng.Data, 0, 0).Rand().Perm(s.Len())[:c.Count])
	}
	return s.All(), nil
}

func (s *Space) read(r io.Reader) (*Competitors, error) {
	indices, err := readIndices(r)
	if err != nil {
		return nil, err
	}
	return s.Competitors(indices)
}

// readIndices reads one index per line. Empty lines, and anything after a #, are ignored.
func readIndices(r io.Reader) (indices []int, err error) {
	line := map[int]int{} // on which each index was found
	scanner := bufio.NewScanner(r)
	for n := 1; scanner.Scan(); n++ {
		text, _, _ := strings.Cut(strings.TrimPrefix(scanner.Text(), "\ufeff"), "#") // some programs mark UTF-8
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		index, err := strconv.Atoi(text)
		if err != nil || index < 0 || index >= NumStructures {
			return nil, fmt.Errorf("line %d is %q: expected the index of a structure, from 0 to %d", n, shortened(text),
				NumStructures-1)
		}
		if before := line[index]; before > 0 {
			return nil, fmt.Errorf("structure %d is on line %d and again on line %d: expected different ones",
				index, before, n)
		}
		line[index] = n
		indices = append(indices, index)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	if len(indices) == 0 {
		return nil, fmt.Errorf("there are no indices: expected one per line")
	}
	return indices, nil
}
