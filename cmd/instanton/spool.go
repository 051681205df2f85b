package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"instanton/internal/npy"
)

// spool is a temporary file with rows of numbers. An archive states how many rows an array has before it holds them,
// so rows of unknown number wait here instead of in memory.
type spool struct {
	file  *os.File
	out   *bufio.Writer
	width int
	rows  int
	bytes []byte
}

// newSpool makes a spool beside the file that is to be written.
func newSpool(beside string, width int) (*spool, error) {
	f, err := os.CreateTemp(filepath.Dir(beside), ".instanton-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // where the system allows it, the name goes at once, and the file when it is closed
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<20), width: width}, nil
}

// append adds rows.
func (s *spool) append(rows []float64) error {
	s.bytes = s.bytes[:0]
	for _, x := range rows {
		s.bytes = binary.LittleEndian.AppendUint64(s.bytes, math.Float64bits(x))
	}
	s.rows += len(rows) / s.width
	_, err := s.out.Write(s.bytes)
	return err
}

// each calls do with every step-th row, in order.
func (s *spool) each(step int, do func(k int, row []float64)) error {
	r, err := s.reader()
	row := make([]float64, s.width)
	for k := 0; err == nil && k < s.rows; k++ {
		if err = r.next(row); err == nil && k%step == 0 {
			do(k, row)
		}
	}
	return err
}

// member is the array of all rows. If they cannot be read back, failed is set.
func (s *spool) member(name string, failed *error) npy.Member {
	var r *spoolReader
	return npy.RowsMember(name, func(k int, row []float64) {
		if k == 0 {
			var err error
			if r, err = s.reader(); err != nil {
				*failed = err
			}
		}
		if *failed == nil {
			*failed = r.next(row)
		}
	}, s.rows, s.width)
}

func (s *spool) reader() (*spoolReader, error) {
	if err := s.out.Flush(); err != nil {
		return nil, err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return &spoolReader{bufio.NewReaderSize(s.file, 1<<20), make([]byte, 8*s.width)}, nil
}

// close removes the file.
func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}

type spoolReader struct {
	in    *bufio.Reader
	bytes []byte
}

// next reads a row.
func (r *spoolReader) next(row []float64) error {
	if _, err := io.ReadFull(r.in, r.bytes); err != nil {
		return fmt.Errorf("a temporary file could not be read back: %w", err)
	}
	for i := range row {
		row[i] = math.Float64frombits(binary.LittleEndian.Uint64(r.bytes[8*i:]))
	}
	return nil
}
