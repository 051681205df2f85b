package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"instanton/unit"
)

// MNISTOptions say which images of handwritten digits to take and how grey becomes black and white.
type MNISTOptions struct {
	Test       bool      // the 10,000 test images instead of the 60,000 training images
	Digits     []int     // which digits; all ten if empty
	Type       unit.Type // Spin or Bernoulli
	Threshold  float64   // a pixel is on if its grey is at least this fraction of the maximum
	Stochastic bool      // instead, a pixel is on with a probability equal to its grey fraction
	Seed       uint64    // for Stochastic
	Unchecked  bool      // also accept other files of the same format
}

// Check reports invalid options.
func (o *MNISTOptions) Check() error {
	if o.Type != unit.Spin && o.Type != unit.Bernoulli {
		return fmt.Errorf("pixels of %s units: expected spin or bernoulli", o.Type)
	}
	if !(o.Threshold > 0 && o.Threshold <= 1) && !o.Stochastic {
		return fmt.Errorf("threshold %g: expected a share of full grey above 0 and up to 1", o.Threshold)
	}
	for k, digit := range o.Digits {
		if digit < 0 || digit > 9 || slices.Contains(o.Digits[:k], digit) {
			return fmt.Errorf("digits %v: expected different ones from 0 to 9", o.Digits)
		}
	}
	return nil
}

// MNIST reads images and labels from the four files in a folder, which FindMNIST finds, and checks their SHA-256. The
// classes are the digits in the order in which they were requested.
func MNIST(folder string, o MNISTOptions) (*Dataset, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	files := mnistFiles[:2]
	if o.Test {
		files = mnistFiles[2:]
	}
	var in [2]*mnistReader
	for k, f := range files {
		var err error
		if in[k], err = openMNIST(folder, f); err != nil {
			return nil, err
		}
		defer in[k].file.Close()
	}
	d, at, err := readDigits(in[0], in[1], o)
	if err != nil {
		if at < 0 { // the two files do not match
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		return nil, fmt.Errorf("%s: %w", in[at].path, err)
	}
	for k, f := range files {
		sum := in[k].sum()
		if sum != f.sha256 && !o.Unchecked {
			return nil, fmt.Errorf("%s %w (its SHA-256 is %.12s…, expected %.12s…)", in[k].path, ErrNotMNIST, sum,
				f.sha256)
		}
		d.Sources = append(d.Sources, Source{f.name, sum})
	}
	return d, nil
}

// images and labels are the indices of the two readers of readDigits; together stands for both.
const (
	together = iota - 1
	images
	labels
)

// readDigits reads a pair of IDX files. If there is an error, at says in which of them.
func readDigits(imageFile, labelFile io.Reader, o MNISTOptions) (d *Dataset, at int, err error) {
	all, err := readIDXLabels(labelFile)
	if err != nil {
		return nil, labels, err
	}
	m, err := newImageReader(imageFile)
	if err != nil {
		return nil, images, err
	}
	if m.count != len(all) {
		return nil, together, fmt.Errorf("there are %d labels for %d images: expected one each", len(all), m.count)
	}
	class, names := digitClasses(o.Digits)
	count := 0
	for k, l := range all {
		if l > 9 {
			return nil, labels, fmt.Errorf("label %d of %d is %d: expected a digit", k+1, len(all), l)
		}
		if class[l] >= 0 {
			count++
		}
	}
	if count == 0 {
		return nil, labels, fmt.Errorf("there is no image of the digits %v", o.Digits)
	}
	spec := unit.Spec{Type: o.Type, N: m.rows * m.columns}
	if err := spec.CheckCount(count); err != nil {
		return nil, images, err
	}
	d = &Dataset{
		Name: "mnist", States: unit.NewStates(spec, 0), Labels: make([]int, 0, count), LabelNames: names,
		Shape: []int{m.rows, m.columns}, Info: o.info(),
	}
	if err := d.readImages(m, all, class, o); err != nil {
		return nil, images, err
	}
	return d, 0, expectEnd(imageFile)
}

// readImages appends the images of the wanted classes; memory grows as they arrive.
func (d *Dataset) readImages(m *imageReader, all []byte, class [10]int, o MNISTOptions) error {
	grey := make([]byte, d.States.N)
	b := o.binariser()
	words := d.States.Stride
	room := min(cap(d.Labels)*words, 1<<20)
	d.States.Bits = make([]uint64, 0, room)
	for k, l := range all {
		if err := m.read(grey, k); err != nil {
			return err
		}
		if class[l] < 0 {
			continue
		}
		d.States.Bits = append(d.States.Bits, make([]uint64, words)...)
		b.draw(d.States.Bits[len(d.States.Bits)-words:], grey, k)
		d.Labels = append(d.Labels, class[l])
		d.States.Len++
	}
	return nil
}

// digitClasses numbers the requested digits; the others get −1.
func digitClasses(digits []int) (class [10]int, names []string) {
	for k := range class {
		class[k] = -1
	}
	if len(digits) == 0 {
		digits = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	}
	for k, digit := range digits {
		class[digit] = k
		names = append(names, strconv.Itoa(digit))
	}
	return class, names
}

func (o *MNISTOptions) info() map[string]string {
	info := map[string]string{"set": "train", "threshold": fmt.Sprint(o.Threshold)}
	if o.Test {
		info["set"] = "test"
	}
	if o.Stochastic {
		delete(info, "threshold")
		info["binarised"], info["seed"] = "at random", fmt.Sprint(o.Seed)
	}
	return info
}

// mnistReader reads the content of one of the files, unpacked, and computes its checksum.
type mnistReader struct {
	io.Reader
	path string
	file *os.File
	hash interface{ Sum([]byte) []byte }
}

func (r *mnistReader) sum() string { return hex.EncodeToString(r.hash.Sum(nil)) }

// openMNIST opens a file under any of its usual names, plain or gzipped.
func openMNIST(folder string, f mnistFile) (*mnistReader, error) {
	path, err := f.in(folder)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	raw := bufio.NewReaderSize(file, 1<<16)
	var content io.Reader = raw
	if head, _ := raw.Peek(2); isGzip(head) {
		if content, err = unpack(raw); err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	hash := sha256.New()
	return &mnistReader{io.TeeReader(content, hash), path, file, hash}, nil
}

// in is the path of the file in a folder.
func (f mnistFile) in(folder string) (string, error) {
	for _, name := range f.names() {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path, nil
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("there is no file %s in %s: expected it there, plain or with .gz", f.name, folder)
}
