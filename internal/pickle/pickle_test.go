package pickle

import (
	"reflect"
	"strings"
	"testing"
)

func all(Class) bool { return true }

// The pickles are those of Python 3.11: pickle.dumps(value, protocol).
var value = map[string]string{
	"protocol 0": "(dp0\nVa\np1\n(lp2\nI1\naI-2\naF0.5\naI01\naNas.",
	"protocol 2": "\x80\x02}q\x00X\x01\x00\x00\x00aq\x01]q\x02(K\x01J\xfe\xff\xff\xffG" +
		"?\xe0\x00\x00\x00\x00\x00\x00\x88Nes.",
	"protocol 4": "\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01a\x94]\x94" +
		"(K\x01J\xfe\xff\xff\xffG?\xe0\x00" +
		"\x00\x00\x00\x00\x00\x88Nes.",
}

func TestRead(t *testing.T) {
	want := []any{int64(1), int64(-2), 0.5, true, nil}
	for name, text := range value {
		v, n, err := Reader{Knows: all}.Read([]byte(text))
		if err != nil || n != len(text) {
			t.Errorf("%s: %v after %d bytes of %d", name, err, n, len(text))
			continue
		}
		got := v.(*Dict).Items["a"].(*List).Items
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read %v, want %v", name, got, want)
		}
	}
}

// TestRunsNothing: a pickle that would run a command is refused by the name of what it would call.
func TestRunsNothing(t *testing.T) {
	only := Reader{Knows: func(c Class) bool { return strings.HasPrefix(string(c), "numpy.") }}
	for _, text := range []string{
		"cos\nsystem\n(S'echo hello'\ntR.",
		"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02ls\x85R.",
		"(S'ls'\nios\nsystem\n.",
		"\x80\x02c__builtin__\neval\nX\x01\x00\x00\x001\x85R.",
	} {
		if _, _, err := only.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), "nothing was run") {
			t.Errorf("%q: error %v, want a refusal", text, err)
		}
	}
}

func TestDamage(t *testing.T) {
	for name, text := range value {
		for n := range len(text) {
			if _, _, err := (Reader{Knows: all}).Read([]byte(text[:n])); err == nil {
				t.Errorf("%s was read after %d of %d bytes", name, n, len(text))
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range value {
		f.Add([]byte(text))
	}
	f.Add([]byte("cos\nsystem\n(S'echo hello'\ntR."))
	f.Fuzz(func(t *testing.T, file []byte) {
		_, n, err := Reader{Knows: all}.Read(file)
		if err == nil && n > len(file) {
			t.Fatalf("took %d of %d bytes", n, len(file))
		}
	})
}
