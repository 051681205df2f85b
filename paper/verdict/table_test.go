package verdict

import (
	"slices"
	"testing"
)

func TestTypeset(t *testing.T) {
	header := []string{"model", "changes", "error", "images", "error of images", "steps"}
	for _, c := range []struct{ row, want []string }{
		{[]string{"BAS", "0.06125", "0.00861182", "-0.912129", "0.00482049", "20000"},
			[]string{"BAS", "0.0613", "0.0086", "−0.9121", "0.0048", "20,000"}},
		{[]string{"2D", "0", "0.00833333", "463.7", "", "6.36576"},
			[]string{"2D", "0", "0.0083", "463.7", "", "6.3658"}},
		{[]string{"7", "1.5", "0", "8.32667e-17", "1e-18", "92267.2"},
			[]string{"7", "1.5", "0", "8.3·10⁻¹⁷", "1·10⁻¹⁸", "92,267"}},
	} {
		if got := typeset(header, c.row); !slices.Equal(got, c.want) {
			t.Errorf("%q is set as %q, want %q", c.row, got, c.want)
		}
	}
}
