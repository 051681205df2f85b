package paper

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	found, err := Find([]string{"fig-mh", "fig-algo"})
	if err != nil || len(found) != 2 || found[0].Name != "fig-algo" {
		t.Errorf("%v, %v", found, err)
	}
	if found, err := Find([]string{"all"}); err != nil || len(found) != len(All()) {
		t.Errorf("%d figures, %v", len(found), err)
	}
	for want, names := range map[string][]string{
		`unknown figure "fig-none": expected all, or some of fig-algo, `:  {"fig-algo", "fig-none"},
		`unknown figure "fig-agol": did you mean fig-algo?`:               {"fig-agol"},
		`unknown figure "FIG_MH": did you mean fig-mh?`:                   {"FIG_MH"},
		`unknown figure "perturbation": did you mean fig-perturbation?`:   {"perturbation"},
		`all stands for every figure: give it alone, or names without it`: {"all", "fig-algo"},
	} {
		if _, err := Find(names); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", names, err, want)
		}
	}
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"abc", "acb", 2}} {
		if got := changes(c.a, c.b); got != c.want {
			t.Errorf("%q to %q takes %d changes, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Names are file names and the words of the command line; each is there once.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Name] || f.Name == "" || strings.ContainsAny(f.Name, " /_.") || f.Name == "all" || f.Name == "list" {
			t.Errorf("the name %q", f.Name)
		}
		if f.Title == "" || f.Shows == "" || f.Version < 1 || f.Run == nil {
			t.Errorf("%s is not whole", f.Name)
		}
		seen[f.Name] = true
	}
}
