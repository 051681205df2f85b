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

// Config is everything that a run was asked for; config.toml holds it, resolved.
type Config struct {
	Data  Source       `toml:"data" json:"data"`
	Model Model        `toml:"model" json:"model"`
	Train train.Config `toml:"train" json:"train"`
	Keep  Keep         `toml:"keep" json:"keep"`
}

// Source says what is learnt from.
type Source struct {
	Path    string  `toml:"path" json:"path"`
	Weights string  `toml:"weights" json:"weights"` // a file with weights of samples; empty: the data's own, if any
	Valid   float64 `toml:"valid" json:"valid"`     // the share of samples that is held out
}

// Model says what is fitted.
type Model struct {
	Visible string `toml:"visible" json:"visible"` // TYPE or TYPE:N; empty: as the data say
	Hidden  string `toml:"hidden" json:"hidden"`   // TYPE:M
}

// Keep says what is written on the way. It has no influence on the model.
type Keep struct {
	// updates from one report to the next; 0: about a hundred reports
	Report     int      `toml:"report" json:"report"`
	Checkpoint Duration `toml:"checkpoint" json:"checkpoint"` // time from one checkpoint to the next
	Trajectory int      `toml:"trajectory" json:"trajectory"` // epochs from one kept model to the next; 0: none is kept
}

// Duration is a time such as 30s or 2m in a file.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	x, err := time.ParseDuration(string(text))
	if err != nil || x < 0 {
		return fmt.Errorf("the time %q: expected something like 30s or 2m", text)
	}
	*d = Duration(x)
	return nil
}

// MarshalText writes what UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Default is what holds where nothing else is said.
func Default() Config {
	return Config{Train: train.Default(), Keep: Keep{Checkpoint: Duration(30 * time.Second)}}
}

// Check reports settings that cannot be meant.
func (c Config) Check() error {
	hidden, err := unit.ParseSpec(c.Model.Hidden)
	switch {
	case c.Data.Path == "":
		return fmt.Errorf("no data: name a file of configurations")
	case c.Model.Hidden == "":
		return fmt.Errorf("no hidden units: expected TYPE:M, such as spin:16")
	case err != nil:
		return fmt.Errorf("hidden units %q: %w", c.Model.Hidden, err)
	case c.Train.Seed > math.MaxInt64:
		return fmt.Errorf("seed = %d: expected at most %d", c.Train.Seed, math.MaxInt64)
	case c.Keep.Report < 0 || c.Keep.Trajectory < 0:
		return fmt.Errorf("reports every %d updates and models every %d epochs: expected numbers that are not negative",
			c.Keep.Report, c.Keep.Trajectory)
	case !(c.Data.Valid >= 0 && c.Data.Valid < 1):
		return fmt.Errorf("a share of %g of the samples held out: expected at least 0 and below 1", c.Data.Valid)
	}
	if c.Model.Visible != "" {
		if _, err := visibleSpec(c.Model.Visible, 1); err != nil {
			return err
		}
	}
	return c.Train.Check(hidden)
}

// Read takes settings from a TOML file; the others stay as they are. Unknown keys are
// errors: they are misspelt.
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

// Set takes one setting as KEY=VALUE, the key with dots: train.optimizer.rate=0.01.
func (c *Config) Set(assignment string) error {
	key, value, found := strings.Cut(assignment, "=")
	key = strings.TrimSpace(key)
	if !found || key == "" || strings.ContainsAny(assignment, "\n\r") {
		return fmt.Errorf("the setting %q: expected KEY=VALUE on one line, such as train.k=10", assignment)
	}
	if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64); err == nil && n > math.MaxInt64 { // no TOML
		return fmt.Errorf("the setting %q: expected a number of at most %d", assignment, math.MaxInt64)
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
		return fmt.Errorf("the setting %q: %w", assignment, err)
	}
	return nil
}

// quote writes a TOML string.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// unknownError names keys that there are not.
type unknownError struct{ keys []string }

func (e unknownError) Error() string {
	return fmt.Sprintf("unknown key %s: expected one of %s", strings.Join(e.keys, ", "), strings.Join(keys(), ", "))
}

func isUnknown(err error) bool {
	_, ok := err.(unknownError)
	return ok
}

// decode changes c only when the text is right.
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

// keys lists all keys that there are.
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

// TOML writes the settings as a file.
func (c Config) TOML() ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// differences names the settings that change the model and are not the same in other.
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
			list = append(list, fmt.Sprintf("%s was %v and is %v", k, theirs[k], mine[k]))
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
