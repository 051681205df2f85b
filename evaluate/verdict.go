package evaluate

import "fmt"

// Verdict says whether a number may be relied on.
type Verdict string

// The verdicts.
const (
	Good     Verdict = "good"
	NotKnown Verdict = "not known" // the evidence contradicts itself, or there is too little of it
)

// Judgement is a verdict with its reason, one sentence.
type Judgement struct {
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

// Doubt is the reason why nothing is known, empty where the verdict is good.
func (j Judgement) Doubt() string {
	if j.Verdict == Good {
		return ""
	}
	return j.Reason
}

func good(format string, args ...any) Judgement { return Judgement{Good, fmt.Sprintf(format, args...)} }

func notKnown(format string, args ...any) Judgement {
	return Judgement{NotKnown, fmt.Sprintf(format, args...)}
}
