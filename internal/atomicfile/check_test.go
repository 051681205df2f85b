package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path  string
		force bool
		want  string // the whole message, or empty when accepted
	}{
		{"new", false, ""},
		{"new", true, ""},
		{filepath.Join("folder", "new"), false, ""},
		{"file", true, ""},
		{"file", false, "file exists already"},
		{"folder", false, "folder is a folder, where a file name was expected"},
		{"folder", true, "folder is a folder, where a file name was expected"},
		{"", true, "the output has no file name"},
		{"no/new", true, "no/new cannot be written: the folder no does not exist; make it first"},
		{"no/", false, "no/ cannot be written: the folder no does not exist; make it first"},
		{"file/new", true, "file/new cannot be written: file is a file, where a folder was expected"},
	}
	for _, tt := range tests {
		err := Check(tt.path, tt.force)
		got := ""
		if err != nil {
			got = filepath.ToSlash(err.Error())
		}
		if got != tt.want {
			t.Errorf("Check(%q, %v) = %q, want %q", tt.path, tt.force, got, tt.want)
		}
		if exists := strings.Contains(tt.want, "exists already"); errors.Is(err, ErrExists) != exists {
			t.Errorf("Check(%q, %v): errors.Is(err, ErrExists) = %v, want %v", tt.path, tt.force, !exists, exists)
		}
		if err != nil {
			werr := Write(tt.path, tt.force, nil) // refused before fill is called
			if werr == nil || werr.Error() != err.Error() {
				t.Errorf("Write(%q, %v) = %v, want Check's %v", tt.path, tt.force, werr, err)
			}
		}
	}
}
