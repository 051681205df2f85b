package main

import (
	"encoding/json"
	"testing"

	"instanton/mixing"
)

// Scripts read the keys and the flags of the advice.
func TestAdviceOf(t *testing.T) {
	for _, c := range []struct {
		in   mixing.Advice
		want advice
	}{
		{mixing.Advice{Sampler: "gibbs", Reason: "why"}, advice{"gibbs", "", "why"}},
		{mixing.Advice{Sampler: "latent", Block: 2, Reason: "why"}, advice{"latent", "--block 2", "why"}},
		{mixing.Advice{Sampler: "jump", Reason: "why"}, advice{"jump", "", "why (give it data from every mode with " +
			"--init; --sampler auto tries cheaper ways first)"}},
		{mixing.Advice{Sampler: "latent", Longer: true, Reason: "why"}, advice{"latent", "", "why (--sweeps)"}},
		{mixing.Advice{NeedsModel: true, Reason: "why"}, advice{"", "", "why: give the model with --model"}},
		{mixing.Advice{Sampler: "latent", Block: 1, NeedsStarts: true, Reason: "why"}, advice{"latent", "--block 1",
			"start chains in different modes (--init) to see whether there is more than one; why"}},
	} {
		if got := adviceOf(c.in); got != c.want {
			t.Errorf("advice %+v, want %+v", got, c.want)
		}
	}
	text, err := json.Marshal(jsonOf(&mixing.Diagnosis{Advice: mixing.Advice{Sampler: "latent", Block: 3,
		Reason: "why"}}))
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Advice map[string]any }
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Advice) != 3 || back.Advice["sampler"] != "latent" || back.Advice["flags"] != "--block 3" ||
		back.Advice["reason"] != "why" {
		t.Errorf("JSON has the advice %v", back.Advice)
	}
}
