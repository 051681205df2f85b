//go:build unix

package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestNewFileModeFollowsTheUmask(t *testing.T) {
	for _, umask := range []int{0o022, 0o077, 0o002} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		old := syscall.Umask(umask)
		err := Write(path, false, text("x"))
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := modeOf(t, path), fs.FileMode(0o644&^umask); got != want {
			t.Errorf("umask %03o: mode %03o, want %03o", umask, got, want)
		}
	}
}

func TestForceKeepsTheMode(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o666, 0o755, 0o444} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out")
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		err := Write(path, true, func(w io.Writer) error {
			entries, _ := filepath.Glob(filepath.Join(dir, ".*"))
			if len(entries) != 1 {
				t.Fatalf("temporary files: %q, want one", entries)
			}
			if got := modeOf(t, entries[0]); got&^mode != 0 {
				t.Errorf("mode %03o: the temporary file is more open: %03o", mode, got)
			}
			_, err := io.WriteString(w, "new")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := modeOf(t, path); got != mode {
			t.Errorf("mode became %03o, want %03o", got, mode)
		}
	}
}

func TestForceFollowsALink(t *testing.T) {
	here, scratch := t.TempDir(), t.TempDir()
	target, link := filepath.Join(scratch, "target"), filepath.Join(here, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, false, text("new")); !errors.Is(err, ErrExists) {
		t.Errorf("without force: %v, want ErrExists", err)
	}
	if err := Write(link, true, text("new")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, target, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	wantFiles(t, scratch, "target")
}

func TestDanglingLinkCountsAsExisting(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "gone"), link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, false, text("new")); !errors.Is(err, ErrExists) {
		t.Errorf("without force: %v, want ErrExists", err)
	}
	if err := Write(link, true, text("new")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, link, "new")
}

// A device must never be replaced by a plain file, least of all by root.
func TestDeviceIsRefused(t *testing.T) {
	for _, force := range []bool{false, true} {
		err := Check(os.DevNull, force)
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("Check(%s, %v) = %v, want a refusal", os.DevNull, force, err)
		}
	}
}
