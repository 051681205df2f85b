package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// format is a file format for configurations.
type format int

const (
	archiveFile format = iota // .npz
	arrayFile                 // .npy
	fastaFile
	tableFile
)

// file is an opened file of known format. Reading it gives its content, unpacked.
type file struct {
	*bufio.Reader
	format format
	size   int64 // of the content; −1 if unknown
	hint   int64 // estimate of the size of the content
	close  func() error
}

// Close closes the file.
func (f *file) Close() error { return f.close() }

// room is the number of letters to allocate memory for at once: no file has more letters than bytes.
func (f *file) room() int { return int(f.hint) }

// sniffBytes is the number of bytes examined to recognise the format.
const sniffBytes = 1 << 12

// open opens a file and recognises its format by its content, except that the endings .npz and .npy decide.
func open(path string) (*file, error) {
	in := os.Stdin
	if path != StandardInput {
		var err error
		if in, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	f, err := tell(path, in)
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("%s: %w", displayName(path), err)
	}
	return f, nil
}

// StandardInput is the name under which standard input is read.
const StandardInput = "-"

// displayName is how a file is called in messages.
func displayName(path string) string {
	if path == StandardInput {
		return "standard input"
	}
	return path
}

func tell(path string, in *os.File) (*file, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("it is a folder: expected a file with data")
	}
	f := &file{Reader: bufio.NewReaderSize(in, 1<<16), size: -1, close: in.Close}
	if info.Mode().IsRegular() { // a pipe has no size
		f.size, f.hint = info.Size(), info.Size()
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npz":
		return f, nil
	case ".npy":
		f.format = arrayFile
		return f, nil
	}
	head, err := f.peek()
	if err != nil {
		return nil, err
	}
	if isGzip(head) {
		unpacked, err := unpack(f.Reader)
		if err != nil {
			return nil, err
		}
		if f.size >= 0 {
			f.hint = unpackedSize(in, f.size)
		}
		f.Reader, f.size = bufio.NewReaderSize(unpacked, 1<<16), -1
		if head, err = f.peek(); err != nil {
			return nil, err
		}
	}
	if read := alignmentFormat(head); read != nil {
		a, err := read(f.Reader)
		if err != nil {
			return nil, err
		}
		text, err := a.fasta()
		if err != nil {
			return nil, err
		}
		f.hint = int64(text.Len())
		f.Reader, f.size, f.format = bufio.NewReaderSize(text, 1<<16), -1, fastaFile
		return f, nil
	}
	f.format, err = recognise(head)
	return f, err
}

// peek returns the start of the content.
func (f *file) peek() ([]byte, error) {
	skipMark(f.Reader)
	head, err := f.Peek(sniffBytes)
	if len(head) == 0 {
		if err == nil || isEnd(err) {
			return nil, errors.New("the file is empty: expected configurations")
		}
		return nil, err
	}
	return head, nil
}

// skipMark skips the byte-order mark that some programs put in front of UTF-8 text.
func skipMark(r *bufio.Reader) {
	const mark = "\ufeff"
	if head, _ := r.Peek(len(mark)); string(head) == mark {
		r.Discard(len(mark))
	}
}

// ErrIDX is wrapped by the error for a file in MNIST's format, which holds only images or only labels (see [MNIST]).
var ErrIDX = errors.New("it is an IDX file")

// recognise finds the format of a file from its first bytes. A line that starts with '>' never belongs to a table.
func recognise(head []byte) (format, error) {
	switch {
	case bytes.HasPrefix(head, []byte("PK")):
		return archiveFile, nil
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return arrayFile, nil
	case len(head) >= 4 && head[0] == 0 && head[1] == 0 && head[2] >= 8 && head[2] <= 14:
		return 0, ErrIDX
	case bytes.IndexByte(head, 0) >= 0:
		return 0, fmt.Errorf("it starts with %q: expected .npz, .npy, an alignment or a table of numbers",
			head[:min(len(head), 8)])
	}
	for line := range strings.Lines(string(head)) {
		if strings.HasPrefix(strings.TrimSpace(line), ">") {
			return fastaFile, nil
		}
	}
	return tableFile, nil
}
