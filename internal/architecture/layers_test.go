package architecture

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLayers compares the table of packages with the imports of the code. Test files may import anything.
func TestLayers(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for _, s := range sources(t) {
		if !s.test() {
			imports[s.pkg()] = append(imports[s.pkg()], slices.Collect(maps.Values(s.imports()))...)
		}
	}
	for _, wrong := range violations(table(string(page)), imports) {
		t.Error(wrong)
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// table reads the rows of the list of packages, top down.
func table(page string) [][]string {
	_, section, _ := strings.Cut(page, "\n## The packages")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows [][]string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		var row []string
		for _, name := range quoted.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			row = append(row, name[1])
		}
		rows = append(rows, row)
	}
	return rows
}

// violations lists where rows and imports disagree.
func violations(rows [][]string, imports map[string][]string) []string {
	var wrong []string
	layer := map[string]int{}
	for k, row := range rows {
		for _, p := range row {
			if _, twice := layer[p]; twice {
				wrong = append(wrong, fmt.Sprintf("docs/architecture.md lists %s twice", p))
			}
			if _, exists := imports[p]; !exists {
				wrong = append(wrong, fmt.Sprintf("docs/architecture.md lists %s, which does not exist", p))
			}
			layer[p] = k
		}
	}
	for _, p := range slices.Sorted(maps.Keys(imports)) {
		own, listed := layer[p]
		if !listed {
			wrong = append(wrong,
				fmt.Sprintf("%s is missing from docs/architecture.md: %s", p, place(p, rows, imports)))
			continue
		}
		for _, q := range slices.Compact(slices.Sorted(slices.Values(imports[p]))) {
			below, listed := layer[q]
			switch {
			case !listed || below > own: // a missing package is reported once
			case below == own:
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which shares its row in docs/architecture.md", p, q))
			default:
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which stands above it in docs/architecture.md", p, q))
			}
		}
	}
	return wrong
}

// place says between which rows a package belongs.
func place(p string, rows [][]string, imports map[string][]string) string {
	advice := "add a row"
	low := slices.IndexFunc(rows, func(row []string) bool {
		return slices.ContainsFunc(row, func(q string) bool { return slices.Contains(imports[p], q) })
	})
	for k := len(rows) - 1; k >= 0; k-- {
		importer := slices.IndexFunc(rows[k], func(q string) bool { return slices.Contains(imports[q], p) })
		if importer >= 0 {
			advice += " below " + rows[k][importer]
			break
		}
	}
	if low >= 0 {
		advice += " above " + strings.Join(rows[low], ", ")
	}
	return advice
}

// The rules themselves, on a small table.
func TestViolations(t *testing.T) {
	rows := table("# Page\n\n## The packages\n\n| package | what |\n|---|---|\n" +
		"| `top` | a `word` |\n| `left`, `right` | two |\n| `low` | one |\n\n## Other\n\n| `else` | no |\n")
	if want := [][]string{{"top"}, {"left", "right"}, {"low"}}; !slices.EqualFunc(rows, want, slices.Equal) {
		t.Fatalf("rows %v, want %v", rows, want)
	}
	good := map[string][]string{"top": {"left", "low"}, "left": {"low"}, "right": nil, "low": nil}
	if wrong := violations(rows, good); wrong != nil {
		t.Error(wrong)
	}
	for change, want := range map[string]string{
		"low imports top":    "low imports top, which stands above it in docs/architecture.md",
		"left imports right": "left imports right, which shares its row in docs/architecture.md",
		"new imports low":    "new is missing from docs/architecture.md: add a row above low",
		"top imports new":    "new is missing from docs/architecture.md: add a row below top",
	} {
		imports := maps.Clone(good)
		from, to, _ := strings.Cut(change, " imports ")
		imports["new"] = nil
		imports[from] = append(slices.Clone(imports[from]), to)
		if from != "new" && to != "new" {
			delete(imports, "new")
		}
		if wrong := violations(rows, imports); len(wrong) != 1 || wrong[0] != want {
			t.Errorf("%s: %q, want %q", change, wrong, want)
		}
	}
	delete(good, "right")
	if wrong := violations(rows, good); len(wrong) != 1 || !strings.Contains(wrong[0], "right, which does not exist") {
		t.Errorf("a package without code: %q", wrong)
	}
}
