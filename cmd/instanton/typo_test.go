package main

import "testing"

func TestClosest(t *testing.T) {
	names := []string{"train", "sample", "score", "evaluate", "explain", "export", "data"}
	for text, want := range map[string]string{
		"trian": "train", "smaple": "sample", "scores": "score", "eval": "evaluate", "dat": "data", "exp": "",
		"nonsense": "", "x": "", "traain": "train", "EVALUATE": "",
	} {
		if got := closest(text, names); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
