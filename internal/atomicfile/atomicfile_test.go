package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// text is a fill that writes s.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", filepath.Base(path), got, want)
	}
}

// wantFiles checks the names in folder, so that no temporary file was left.
func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestWriteNewFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	for _, force := range []bool{false, true} {
		os.Remove(path)
		if err := Write(path, force, text("hello")); err != nil {
			t.Fatalf("force=%v: %v", force, err)
		}
		wantContent(t, path, "hello")
		wantFiles(t, dir, "out.txt")
	}
}

func TestWriteMoreThanTheBuffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big")
	want := bytes.Repeat([]byte("0123456789"), bufferBytes/4)
	if err := Write(path, false, text(string(want))); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, string(want))
}

func TestWriteRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := Write("out.txt", false, text("here")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, "out.txt", "here")
}

func TestExistingFileIsRefusedBeforeFillRuns(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.npz")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Write(path, false, func(io.Writer) error {
		t.Error("fill ran although the file exists")
		return nil
	})
	if !errors.Is(err, ErrExists) {
		t.Fatalf("error %v does not wrap ErrExists", err)
	}
	if want := path + " exists already"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	wantContent(t, path, "old")
	wantFiles(t, dir, "out.npz")
}

func TestForceReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("a much longer old content"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, true, text("new")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "new")
	wantFiles(t, dir, "out")
}

// The other writer finishes while fill runs, so only the last step can see it.
func TestFileMadeDuringFillIsNotClobbered(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	err := Write(path, false, func(w io.Writer) error {
		io.WriteString(w, "late")
		return os.WriteFile(path, []byte("first"), 0o644)
	})
	if !errors.Is(err, ErrExists) {
		t.Fatalf("error %v does not wrap ErrExists", err)
	}
	wantContent(t, path, "first")
	wantFiles(t, dir, "out")
}

func TestConcurrentWritersHaveOneWinner(t *testing.T) {
	const writers = 16
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	var filling, done sync.WaitGroup
	filling.Add(writers)
	errs := make([]error, writers)
	for i := range writers {
		done.Go(func() {
			errs[i] = Write(path, false, func(w io.Writer) error {
				filling.Done()
				filling.Wait() // all have passed the first check
				_, err := fmt.Fprintf(w, "writer %d", i)
				return err
			})
		})
	}
	done.Wait()
	winner := -1
	for i, err := range errs {
		switch {
		case err == nil && winner >= 0:
			t.Errorf("writers %d and %d both succeeded", winner, i)
		case err == nil:
			winner = i
		case !errors.Is(err, ErrExists):
			t.Errorf("writer %d: %v, want ErrExists", i, err)
		}
	}
	wantContent(t, path, fmt.Sprintf("writer %d", winner))
	wantFiles(t, dir, "out")
}

func TestFailureOfFillLeavesNothing(t *testing.T) {
	errDisk := errors.New("the disk is full")
	for _, force := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		err := Write(path, force, func(w io.Writer) error {
			w.Write(make([]byte, 2*bufferBytes))
			return errDisk
		})
		if !errors.Is(err, errDisk) {
			t.Errorf("force=%v: error %v does not wrap fill's", force, err)
		}
		if want := path + " was not written: the disk is full"; err.Error() != want {
			t.Errorf("force=%v: error %q, want %q", force, err, want)
		}
		wantFiles(t, dir)
	}
}

func TestFailureOfFillKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, true, func(io.Writer) error { return io.ErrShortWrite }); err == nil {
		t.Fatal("no error")
	}
	wantContent(t, path, "old")
	wantFiles(t, dir, "out")
}

func TestPanicInFillLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		Write(filepath.Join(dir, "out"), false, func(w io.Writer) error {
			io.WriteString(w, "half")
			panic("bug")
		})
	}()
	wantFiles(t, dir)
}

func TestWriteAsideIsADotFileInTheSameFolder(t *testing.T) {
	dir := t.TempDir()
	err := Write(filepath.Join(dir, "out"), false, func(io.Writer) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		if len(entries) != 1 || !strings.HasPrefix(entries[0].Name(), ".") {
			t.Errorf("while filling the folder holds %v, want one dot file", entries)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// On a file system without hard links, the fallback does not overwrite files either.
func TestPlaceNewWithoutLinks(t *testing.T) {
	noLinks := func(string, string) error { return errors.ErrUnsupported }
	dir := t.TempDir()
	temporary, target := filepath.Join(dir, ".temporary"), filepath.Join(dir, "out")
	if err := os.WriteFile(temporary, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := placeNew(temporary, target, noLinks); err != nil {
		t.Fatal(err)
	}
	wantContent(t, target, "new")
	wantFiles(t, dir, "out")

	if err := os.WriteFile(temporary, []byte("second"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := placeNew(temporary, target, noLinks); !errors.Is(err, os.ErrExist) {
		t.Errorf("error %v, want ErrExist", err)
	}
	wantContent(t, target, "new")
}
