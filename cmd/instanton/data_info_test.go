package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// fullDisk has no room.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A command fails if its output cannot be written.
func TestReportsOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("0,1\n1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const sequence = "EKALNPVDTECWKEYKKKMRPVMLDAR"
	for _, args := range [][]string{
		{"data", "info", path},
		{"data", "info", path, "--json"},
		{"lattice", "pnat", sequence, "--competitors", "random:10:1"},
		{"lattice", "fold", sequence, "--competitors", "random:10:1"},
	} {
		root := newRoot(func() {})
		root.SetArgs(args)
		root.SetOut(fullDisk{})
		if err := root.Execute(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v on a full disk ended with %v", args, err)
		}
	}
}
