package npy

import (
	"fmt"
	"slices"
	"testing"
)

func TestParseHeader(t *testing.T) {
	tests := []struct {
		text string
		want header
	}{
		{"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }          \n", header{"<f8", false, []int{3, 4}}},
		{`{"shape":(3,),"fortran_order":True,"descr":"|u1"}`, header{"|u1", true, []int{3}}},
		{"{'fortran_order': False, 'descr': '', 'shape': ()}\n", header{"", false, []int{}}},
		{" {\n'descr'\t: '<f8' ,\r\n'fortran_order':True, 'shape':( 1 , 2,0 , ) } ",
			header{"<f8", true, []int{1, 2, 0}}},
	}
	for _, tt := range tests {
		got, err := parseHeader(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got.descr != tt.want.descr || got.fortran != tt.want.fortran || !slices.Equal(got.shape, tt.want.shape) {
			t.Errorf("%q: %+v, want %+v", tt.text, got, tt.want)
		}
	}
}

func TestParseHeaderRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "it ends where '{' was expected"},
		{"   ", "it ends where '{' was expected"},
		{"('descr',)", `found "('descr',)" at byte 0, where '{' was expected`},
		{"{}", "the key 'descr' is missing"},
		{"{'descr': '<f8', 'shape': ()}", "the key 'fortran_order' is missing"},
		{"{'descr': '<f8', 'fortran_order': False}", "the key 'shape' is missing"},
		{"{'descr': '<f8', 'descr': '<f8'}", "the key 'descr' occurs twice"},
		{"{'descr': '<f8', 'order': 1}", `unknown key "order"`},
		{"{,}", "a quoted string was expected"},
		{"{'descr' '<f8'}", "':' was expected"},
		{"{'descr': '<f8' 'shape': ()}", "'}' was expected"},
		{"{'descr': '<f8'", "it ends where '}' was expected"},
		{"{'descr': '<f8", "a closing quote was expected"},
		{"{'descr': '<f8\"}", "a closing quote was expected"},
		{`{'descr': '<f\x38'}`, "a plain string"},
		{"{'descr': 8}", "a quoted string was expected"},
		{"{'descr': [('a', '<f8')]}", "structured dtype"},
		{"{'descr': ('<f8', (3,))}", "structured dtype"},
		{"{'fortran_order': 0}", "True or False was expected"},
		{"{'fortran_order': Falsely}", "'}' was expected"},
		{"{'shape': 3}", "'(' was expected"},
		{"{'shape': (3)}", "',' as in (3,) was expected"},
		{"{'shape': (,)}", "a dimension was expected"},
		{"{'shape': (3,,)}", "a dimension was expected"},
		{"{'shape': (3, 4}", "')' was expected"},
		{"{'shape': (3L,)}", "',' as in (3,) was expected"},
		{"{'shape': (3.0,)}", "',' as in (3,) was expected"},
		{"{'shape': (-3,)}", "negative dimension at byte 11"},
		{"{'shape': (03,)}", "starts with a zero"},
		{"{'shape': (99999999999999999999,)}", "overflows: a dimension of 99999999999999999999"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': ()} x", "nothing after the dict was expected"},
		{"{'descr': '<f8', 'fortran_order': False, 'shape': ()}\x00", "nothing after the dict was expected"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q", tt.text), func(t *testing.T) {
			_, err := parseHeader(tt.text)
			wantRefusal(t, err, tt.want)
		})
	}
}
