package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"instanton/dataset"
	"instanton/train"
	"instanton/unit"
)

// Input is a file on which a run depends.
type Input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// inputs are the data of a run, divided into training and validation.
type inputs struct {
	train  train.Data
	valid  []int
	hidden unit.Spec
	files  []Input

	alphabet string           // of sequences, if the data have one
	samples  *dataset.Dataset // the data with their labels and names, for the report
}

func readInputs(cfg Config) (*inputs, error) {
	in := &inputs{}
	var err error
	if in.hidden, err = unit.ParseSpec(cfg.Model.Hidden); err != nil {
		return nil, err
	}
	d, err := readSamples(cfg)
	if err != nil {
		return nil, err
	}
	in.train = train.Data{States: d.States, Shape: d.Shape, Weights: d.Weights}
	in.alphabet, in.samples = d.Alphabet, d
	if in.train.States.Len == 0 {
		return nil, fmt.Errorf("%s holds no configurations", cfg.Data.Path)
	}
	paths := []string{cfg.Data.Path}
	if weights := cfg.Data.Weights; weights != "" {
		paths = append(paths, weights)
		if in.train.Weights, err = dataset.ReadWeights(weights, in.train.States.Len); err != nil {
			return nil, err
		}
		if in.train.Weights == nil {
			return nil, fmt.Errorf("%s has no array %q: expected one with the weights of the samples", weights,
				"weights")
		}
	}
	in.train.Weights = train.RelativeWeights(in.train.Weights)
	if in.train.Rows, in.valid, err = train.Split(in.train.States.Len, cfg.Data.Valid, cfg.Train.Seed); err != nil {
		return nil, err
	}
	for _, p := range paths {
		sum, err := fingerprint(p)
		if err != nil {
			return nil, err
		}
		in.files = append(in.files, Input{p, sum})
	}
	return in, nil
}

// readSamples reads the data as units of the given type. Unless the settings give it in full, it is found from the
// values.
func readSamples(cfg Config) (*dataset.Dataset, error) {
	if strings.Contains(cfg.Model.Visible, ":") {
		spec, err := visibleSpec(cfg.Model.Visible, 0)
		if err != nil {
			return nil, err
		}
		return dataset.ReadUnits(cfg.Data.Path, spec)
	}
	d, err := dataset.Read(cfg.Data.Path)
	if err != nil || cfg.Model.Visible == "" {
		return d, err
	}
	spec, err := visibleSpec(cfg.Model.Visible, d.States.N)
	if err != nil || spec == d.States.Spec {
		return d, err
	}
	return dataset.ReadUnits(cfg.Data.Path, spec)
}

// visibleSpec parses TYPE, for as many units as the data have, or a full TYPE:N.
func visibleSpec(text string, n int) (unit.Spec, error) {
	if !strings.Contains(text, ":") {
		text = fmt.Sprintf("%s:%d", text, n)
	}
	spec, err := unit.ParseSpec(text)
	if err != nil {
		return spec, fmt.Errorf("visible units %q: %w", text, err)
	}
	return spec, nil
}

// fingerprint is the SHA-256 of a file.
func fingerprint(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
