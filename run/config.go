package run

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"instanton/train"
	"instanton/unit"
)

// Config holds all settings of a run. config.toml has them with the defaults, and what was left open, filled in.
type Config struct {
	Data  Source       `toml:"data" json:"data"`
	Model Model        `toml:"model" json:"model"`
	Train train.Config `toml:"train" json:"train"`
	Keep  Keep         `toml:"keep" json:"keep"`
}

// Source says where the samples come from.
type Source struct {
	Path string `toml:"path" json:"path"` // a file that package dataset reads
	// Weights is a file with weights of the samples. If empty, the weights in the data are used, if any.
	Weights string  `toml:"weights" json:"weights"`
	Valid   float64 `toml:"valid" json:"valid"` // the fraction of the samples that is held out
}

// Model says what is trained.
type Model struct {
	Visible string `toml:"visible" json:"visible"` // TYPE or TYPE:N; empty for the type of the data
	Hidden  string `toml:"hidden" json:"hidden"`   // TYPE:M, such as spin:16
}

// Keep says what is written during the training. It does not influence the model.
type Keep struct {
	Report     int      `toml:"report" json:"report"`         // updates between reports; 0 for about 100 reports in all
	Checkpoint Duration `toml:"checkpoint" json:"checkpoint"` // time between checkpoints
	Trajectory int      `toml:"trajectory" json:"trajectory"` // epochs between kept models; 0 to keep none
}

// Duration is a time that files hold as text such as 30s or 2m.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	x, err := time.ParseDuration(string(text))
	if err != nil || x < 0 {
		return fmt.Errorf("time %q: expected a duration such as 30s or 2m", text)
	}
	*d = Duration(x)
	return nil
}

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Default returns the default settings, which lack the data and the hidden units. Open chooses the numbers that
// train.Auto leaves open.
func Default() Config {
	return Config{Train: train.Auto(), Keep: Keep{Checkpoint: Duration(30 * time.Second)}}
}

// Check reports settings that are missing or make no sense.
func (c Config) Check() error {
	hidden, err := unit.ParseSpec(c.Model.Hidden)
	switch {
	case c.Data.Path == "":
		return fmt.Errorf("no data: expected the name of a file of configurations")
	case c.Model.Hidden == "":
		return fmt.Errorf("no hidden units: expected TYPE:M, such as spin:16")
	case err != nil:
		return fmt.Errorf("hidden units %q: %w", c.Model.Hidden, err)
	case c.Train.Seed > math.MaxInt64:
		return fmt.Errorf("seed = %d: expected at most %d", c.Train.Seed, math.MaxInt64)
	case c.Keep.Report < 0 || c.Keep.Trajectory < 0:
		return fmt.Errorf("reports every %d updates and models every %d epochs: expected neither number below 0",
			c.Keep.Report, c.Keep.Trajectory)
	case !(c.Data.Valid >= 0 && c.Data.Valid < 1):
		return fmt.Errorf("a fraction of %g of the samples held out: expected at least 0 and below 1", c.Data.Valid)
	}
	if c.Model.Visible != "" {
		if _, err := visibleSpec(c.Model.Visible, 1); err != nil {
			return err
		}
	}
	return c.Train.CheckOpen(hidden)
}

// Read reads settings from a TOML file and leaves the others as they are. Unknown keys are errors, since they are
// probably misspelt.
func (c *Config) Read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := c.decode(string(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Set changes one setting, given as KEY=VALUE with the key of config.toml: train.optimizer.rate=0.01.
func (c *Config) Set(assignment string) error {
	key, value, found := strings.Cut(assignment, "=")
	key = strings.TrimSpace(key)
	if !found || key == "" || strings.ContainsAny(assignment, "\n\r") {
		return fmt.Errorf("setting %q: expected KEY=VALUE on one line, such as train.k=10", assignment)
	}
	if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64); err == nil && n > math.MaxInt64 { // not in TOML
		return fmt.Errorf("setting %q: expected a number of at most %d", assignment, math.MaxInt64)
	}
	text, quoted := key+" = "+value, key+" = "+quote(strings.TrimSpace(value))
	if _, err := toml.Decode(text, new(map[string]any)); err != nil { // words without quotes
		text = quoted
	}
	err := c.decode(text)
	if err != nil && !isUnknown(err) && c.decode(quoted) == nil { // a word that looks like a number
		return nil
	}
	if err != nil {
		return fmt.Errorf("setting %q: %w", assignment, err)
	}
	return nil
}

// quote writes a TOML string.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// unknownError lists keys that do not exist.
type unknownError struct{ keys []string }

func (e unknownError) Error() string {
	return fmt.Sprintf("unknown key %s: expected one of %s", strings.Join(e.keys, ", "), strings.Join(keys(), ", "))
}

func isUnknown(err error) bool {
	_, ok := err.(unknownError)
	return ok
}

// decode changes c only if the whole text is valid.
func (c *Config) decode(text string) error {
	next := *c
	meta, err := toml.Decode(text, &next)
	if err != nil {
		return err
	}
	if left := meta.Undecoded(); len(left) > 0 {
		var e unknownError
		for _, k := range left {
			e.keys = append(e.keys, k.String())
		}
		return e
	}
	*c = next
	return nil
}

// keys lists all keys.
func keys() []string {
	text, err := Default().TOML()
	if err != nil {
		panic(err) // a Config can always be written
	}
	var all map[string]any
	meta, err := toml.Decode(string(text), &all)
	if err != nil {
		panic(err)
	}
	var list []string
	for _, k := range meta.Keys() {
		if meta.Type(k...) != "Hash" {
			list = append(list, k.String())
		}
	}
	return list
}

// TOML returns the settings as the text of a file.
func (c Config) TOML() ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// differences describes the settings that change the model and differ from those of other.
func (c Config) differences(other Config) []string {
	values := func(c Config) map[string]any {
		c.Keep, c.Data.Path, c.Data.Weights = Keep{}, "", "" // files are compared by content
		text, err := c.TOML()
		if err != nil {
			return nil
		}
		var all map[string]any
		_, _ = toml.Decode(string(text), &all)
		flat := map[string]any{}
		flatten(flat, "", all)
		return flat
	}
	mine, theirs := values(c), values(other)
	var list []string
	for _, k := range keys() {
		if mine[k] != theirs[k] {
			list = append(list, fmt.Sprintf("%s was %v and is now %v", k, theirs[k], mine[k]))
		}
	}
	return list
}

func flatten(to map[string]any, prefix string, from map[string]any) {
	for k, v := range from {
		if table, ok := v.(map[string]any); ok {
			flatten(to, prefix+k+".", table)
		} else {
			to[prefix+k] = v
		}
	}
}
