package main

import (
	"fmt"

	"instanton/demo"
	"instanton/mixing"
)

// advice is the advice of a diagnosis in terms of the command line.
type advice struct {
	Sampler string `json:"sampler"`
	Flags   string `json:"flags,omitempty"`
	Reason  string `json:"reason"`
}

// adviceOf translates advice into flags: those that follow it, and those that would tell more.
func adviceOf(a mixing.Advice) advice {
	out := advice{Sampler: a.Sampler, Reason: a.Reason}
	switch {
	case a.NeedsModel:
		out.Reason += ": give the model with --model"
	case a.NeedsStarts:
		out.Reason = "start chains in different modes (--init) to see whether there is more than one; " + a.Reason
	}
	if a.Block > 0 {
		out.Flags = fmt.Sprintf("--block %d", a.Block)
	}
	if a.Sampler == jumpName {
		out.Reason += " (give it data from every mode with --init; --sampler auto tries cheaper ways first)"
	}
	if a.Longer {
		out.Reason += " (--sweeps)"
	}
	return out
}

// diagnosisJSON is a diagnosis with its advice in terms of the command line.
type diagnosisJSON struct {
	*mixing.Diagnosis
	Advice  advice `json:"advice"`
	Sampler string `json:"sampler,omitempty"`
	Why     string `json:"why,omitempty"` // the sampler was chosen
}

func jsonOf(d *mixing.Diagnosis) diagnosisJSON {
	return diagnosisJSON{Diagnosis: d, Advice: adviceOf(d.Advice)}
}

// demoJSON is the result of the demo with such diagnoses.
type demoJSON struct {
	*demo.Result
	Gibbs  samplingJSON `json:"gibbs"`
	Latent samplingJSON `json:"latent"`
	// Rotated are the samplers of the rotated Hopfield model.
	Rotated []crossingJSON `json:"rotated_hopfield"`
}

type crossingJSON struct {
	demo.Crossing
	Diagnosis diagnosisJSON `json:"diagnosis"`
}

type samplingJSON struct {
	demo.Sampling
	Diagnosis diagnosisJSON `json:"diagnosis"`
}

func demoOf(t *demo.Result) demoJSON {
	out := demoJSON{Result: t, Gibbs: samplingJSON{t.Gibbs, jsonOf(t.Gibbs.Diagnosis)},
		Latent: samplingJSON{t.Latent, jsonOf(t.Latent.Diagnosis)}}
	for _, s := range t.Rotated {
		out.Rotated = append(out.Rotated, crossingJSON{s, jsonOf(s.Diagnosis)})
	}
	return out
}
