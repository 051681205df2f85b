package plot

import "testing"

func inksOf(t *testing.T, panels ...Panel) Figure {
	t.Helper()
	f, err := Figure{Panels: panels}.resolved()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestColours(t *testing.T) {
	one := []float64{1}
	line := func(name string, c Color) Line { return Line{Name: name, X: one, Y: one, Color: c} }
	f := inksOf(t,
		Panel{Series: []Series{line("AGS", Auto), line("exact", Auto), HLine{At: 1}}},
		Panel{Series: []Series{line("theory", Auto), line("AGS", Auto),
			Band{Name: "theory", X: one, Lo: one, Hi: one}}},
		Panel{Series: []Series{line("", Auto), line("", Blue), line("", Auto)}},
	)
	for _, c := range []struct {
		panel, series int
		want          Color
		why           string
	}{
		{0, 0, Blue, "the first in turn"},
		{0, 1, Vermilion, "the second in turn"},
		{0, 2, Grey, "reference lines take no turn"},
		{1, 1, Blue, "a name keeps its colour in the next panel"},
		{1, 0, Vermilion, "a new name does not take a colour that a known one needs"},
		{1, 2, Vermilion, "a band shares the colour of the line of its name"},
		{2, 1, Blue, "a colour asked for is given"},
		{2, 0, Vermilion, "a colour asked for is not given out in turn"},
		{2, 2, Green, "and the turns go on"},
	} {
		if got := f.Panels[c.panel].inks[c.series].color; got != palette[c.want] {
			t.Errorf("panel %d series %d has the colour %v, expected %v: %s", c.panel, c.series, got, palette[c.want],
				c.why)
		}
	}
}

func TestManySeriesStartTheTurnsAgain(t *testing.T) {
	var series []Series
	for range 2*cycle + 1 {
		series = append(series, Line{X: []float64{1}, Y: []float64{1}})
	}
	inks := inksOf(t, Panel{Series: series}).Panels[0].inks
	if inks[0].color != inks[cycle].color || inks[1].color != inks[2*cycle-cycle+1].color {
		t.Error("the colours do not come in turns")
	}
	for i := 1; i < cycle; i++ {
		if inks[i].color == inks[0].color {
			t.Errorf("series %d has the colour of the first", i+1)
		}
	}
}

func TestLetters(t *testing.T) {
	p := Panel{Series: []Series{Line{X: []float64{1}, Y: []float64{1}}}}
	hidden, own := p, p
	hidden.Label, own.Label = NoLabel, "(x)"
	f := inksOf(t, p, hidden, own, p)
	for i, want := range []string{"(a)", "", "(x)", "(d)"} {
		if got := f.Panels[i].Label; got != want {
			t.Errorf("panel %d has the letter %q, expected %q", i+1, got, want)
		}
	}
	if got := inksOf(t, p).Panels[0].Label; got != "" {
		t.Errorf("a single panel has the letter %q", got)
	}
}
