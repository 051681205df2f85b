package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"instanton/dataset"
	"instanton/evaluate"
	"instanton/internal/atomicfile"
	"instanton/paper/verdict"
	"instanton/rbm"
	"instanton/run"
	"instanton/train"
)

// Training asks for a model that figures share. Two that ask for the same get the same; another data set
// or other settings are another model.
//
//	cfg := train.Default()
//	cfg.Epochs, cfg.Seed = 1000, s.Seed // fewer where s.Quick
//	t, err := Train(ctx, s, Training{Name: "bas-l1", Data: images, Hidden: "gaussian:20", Config: cfg})
//	… t.Model, t.Likelihood …
//
// The model is trained once into work/NAME-…/run by package run, as instanton train would: with config.toml, the seed
// and the data's SHA-256 in run.json, curves and checkpoints, from which an interrupted training goes on to
// the same bits.
type Training struct {
	Name   string // begins the name of its folder
	Data   *dataset.Dataset
	Hidden string  // TYPE:M
	Valid  float64 // share of the data that is held out
	Config train.Config
	AIS    int // steps of annealing for log Z; 0: as many as its pilot run finds necessary
	Report int // updates from one report of the training to the next; 0: about a hundred reports
}

// Trained is a model with what is known of it.
type Trained struct {
	Model      *rbm.RBM
	Data       *dataset.Dataset
	Run        *run.Result
	Likelihood Likelihood
	Dir        string // work/NAME-…
}

// Likelihood says how good a model is, in mean log-likelihoods per sample, so that a sampler is not blamed for
// a bad model.
type Likelihood struct {
	Method      evaluate.Method `json:"method"` // exact, or ais
	LogZ        float64         `json:"log_z"`
	Lower       float64         `json:"log_z_lower"` // both equal to LogZ where it is exact
	Upper       float64         `json:"log_z_upper"`
	Train       float64         `json:"log_likelihood"`
	Valid       *float64        `json:"valid_log_likelihood"` // of samples held out
	Independent float64         `json:"independent_sites"`    // of the data under independent sites, to compare
	Doubt       string          `json:"doubt,omitempty"`      // what speaks against log Z
	AIS         *evaluate.AIS   `json:"ais,omitempty"`
}

// HalfWidth is half of the distance between the bounds of log Z, 0 where it is exact.
func (l Likelihood) HalfWidth() float64 { return (l.Upper - l.Lower) / 2 }

// Train trains the model, or goes on where an interrupted training stands, or reads what is there.
func Train(ctx context.Context, s verdict.Settings, t Training) (*Trained, error) {
	cfg := run.Default()
	cfg.Train, cfg.Model.Hidden, cfg.Data.Valid, cfg.Keep.Report = t.Config, t.Hidden, t.Valid, t.Report
	text, err := cfg.TOML()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Append(text, t.Data.States.Fingerprint(), t.Data.Weights, t.AIS))
	name := t.Name + "-" + hex.EncodeToString(sum[:4])
	dir, err := s.Folder(name)
	if err != nil {
		return nil, err
	}
	cfg.Data.Path = filepath.Join(dir, "data.npz")
	if err := s.Once(name, func() error { return trainInto(ctx, s, dir, cfg, t) }); err != nil {
		return nil, fmt.Errorf("training %s: %w", t.Name, err)
	}
	out := &Trained{Data: t.Data, Dir: dir}
	if out.Model, err = rbm.Load(filepath.Join(dir, "run", "model.npz")); err != nil {
		return nil, err
	}
	manifest, err := run.ReadManifest(filepath.Join(dir, "run"))
	if err != nil {
		return nil, err
	}
	if manifest.Result == nil {
		return nil, fmt.Errorf("the training in %s is not finished", dir)
	}
	out.Run = manifest.Result
	s.UseModel(filepath.Join(dir, "run"))
	score, err := os.ReadFile(filepath.Join(dir, "likelihood.json"))
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(score, &out.Likelihood)
}

// trainInto leaves data.npz, run and likelihood.json in the folder.
func trainInto(ctx context.Context, s verdict.Settings, dir string, cfg run.Config, t Training) error {
	scored := filepath.Join(dir, "likelihood.json")
	if _, err := os.Stat(scored); err == nil { // the last file that is written
		return nil
	}
	if err := t.Data.Save(cfg.Data.Path, true); err != nil {
		return err
	}
	r, err := run.Open(filepath.Join(dir, "run"), cfg, s.Workers)
	if err != nil {
		return err
	}
	s.Progress("training %s, %d updates", t.Name, r.Total())
	if _, err := r.Train(ctx, nil); err != nil {
		if errors.Is(err, run.ErrStopped) && ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	s.Progress("finding the likelihood of %s", t.Name)
	l, err := t.Score(ctx, r.Model(), s)
	if err != nil {
		return err
	}
	return atomicfile.Write(scored, true, verdict.AsJSON(l))
}

// Score finds log Z by enumeration, or between bounds by annealing from independent sites.
func (t Training) Score(ctx context.Context, m *rbm.RBM, s verdict.Settings) (*Likelihood, error) {
	rows, held, err := train.Split(t.Data.States.Len, t.Valid, t.Config.Seed)
	if err != nil {
		return nil, err
	}
	sites, err := evaluate.Sites(t.Data.States, t.Data.Weights, rows)
	if err != nil {
		return nil, err
	}
	score, err := evaluate.New(m, nil, nil, false)
	if err != nil {
		return nil, err
	}
	l := &Likelihood{Method: score.Method}
	if score.LogZ == nil {
		a, err := evaluate.NewAIS(ctx, m, evaluate.AISOptions{Steps: t.AIS, Seed: s.Seed, Reference: sites,
			Workers: s.Workers})
		if err != nil {
			return nil, err
		}
		score.SetAIS(a)
		l.Method, l.AIS, l.Doubt = score.Method, a, a.Doubt()
		l.LogZ, l.Lower, l.Upper = a.LogZ, a.Lower, a.Upper // with its doubt
	} else {
		l.LogZ, l.Lower, l.Upper = *score.LogZ, *score.LogZLower, *score.LogZUpper
	}
	v := make([]float64, t.Data.States.N)
	mean := func(rows []int, energy func(v []float64) float64) float64 {
		var sum, total float64
		for _, k := range rows {
			w := 1.0
			if t.Data.Weights != nil {
				w = t.Data.Weights[k]
			}
			t.Data.States.Values(v, k)
			sum += w * energy(v)
			total += w
		}
		return sum / total
	}
	l.Train = -mean(rows, m.EffectiveEnergy) - l.LogZ
	if len(held) > 0 {
		x := -mean(held, m.EffectiveEnergy) - l.LogZ
		l.Valid = &x
	}
	l.Independent = -mean(rows, sites.Potential) - sites.CGF(make([]float64, sites.Spec().Width()))
	return l, nil
}

// ClassWeights are the shares of the classes of the data in the law of the model.
func (t *Trained) ClassWeights(ctx context.Context, s verdict.Settings, b evaluate.BridgeOptions,
	classify evaluate.Classifier) ([]evaluate.ClassWeight, error) {
	b.Seed, b.Workers = s.Seed, s.Workers
	return evaluate.Bridge(ctx, t.Model, t.Data, classify, b)
}
