package interpret

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Contacts is a set of pairs of sites I < J that are known to touch.
type Contacts map[[2]int]bool

// Has tells whether two sites touch.
func (c Contacts) Has(i, j int) bool { return c[[2]int{min(i, j), max(i, j)}] }

// Add adds a pair.
func (c Contacts) Add(i, j int) { c[[2]int{min(i, j), max(i, j)}] = true }

// Within keeps the contacts between the sites 0 to n−1 that are at least separation apart.
func (c Contacts) Within(n, separation int) Contacts {
	kept := Contacts{}
	for p := range c {
		if p[0] >= 0 && p[1] < n && p[1]-p[0] >= separation {
			kept[p] = true
		}
	}
	return kept
}

// Precision is the share of contacts among the first k+1 ranked pairs, for every k: the positive predictive value.
func Precision(ranked []Scored, contacts Contacts) []float64 {
	ppv, hits := make([]float64, len(ranked)), 0
	for k, p := range ranked {
		if contacts.Has(p.I, p.J) {
			hits++
		}
		ppv[k] = float64(hits) / float64(k+1)
	}
	return ppv
}

// ReadContacts reads a table of pairs of positions: two numbers on a line, and perhaps a distance as the third, in
// which case only pairs closer than the cutoff count. Numbers are separated by blanks, tabs or commas; # starts a
// comment, and a first line of words is a header. The position of the first site is first.
func ReadContacts(r io.Reader, first int, cutoff float64) (Contacts, error) {
	contacts, lines, rows := Contacts{}, bufio.NewScanner(r), 0
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r,;", r) })
		if len(words) == 0 {
			continue
		}
		bad := fmt.Errorf("line %d is %q: expected two positions, and perhaps a distance", number, lines.Text())
		if len(words) < 2 {
			return nil, bad
		}
		i, err := strconv.Atoi(words[0])
		j, err2 := strconv.Atoi(words[1])
		if err != nil || err2 != nil {
			if rows == 0 && err != nil && err2 != nil { // a header
				rows++
				continue
			}
			return nil, bad
		}
		rows++
		if len(words) > 2 {
			distance, err := strconv.ParseFloat(words[2], 64)
			if err != nil {
				return nil, bad
			}
			if !(distance < cutoff) {
				continue
			}
		}
		if i != j {
			contacts.Add(i-first, j-first)
		}
	}
	return contacts, lines.Err()
}
