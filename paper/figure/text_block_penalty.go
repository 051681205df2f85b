package figure

import (
	"fmt"

	"instanton/paper/verdict"
)

// penaltyClaim judges whether moves of two speed up sampling of the learnt models, by the rule of all such claims.
func penaltyClaim(rates map[string][]verdict.Measured, seen map[string][]events, models []namedModel) verdict.Claim {
	pick := func(k, block int) verdict.Measured { return rates[models[k].name][block] }
	gained := func(k int) gain { return gainOf(seen[models[k].name][2], seen[models[k].name][0]) }
	learnt, bound := pick(2, 2), pick(3, 2)
	without, with := gained(2), gained(3)
	c := verdict.Claim{
		Name: "penalty", Where: "section on rotated weights",
		Statement: "Weights learnt without the penalty are delocalised, so that moves of two hidden units do not " +
			"speed up sampling; with the penalty each pattern has its hidden unit, and they do.",
		Criterion: fmt.Sprintf("without the penalty moves of two give less than %g times the changes of AGS alone, at "+
			"97.5 %%, and with it more; with a correction, they give more in both, and with the penalty more than "+
			"five times what they give without, by two standard errors; open if a gain is neither shown nor "+
			"excluded", noHelp),
		Measured: append(append([]verdict.Measured{pick(2, 0), learnt, pick(3, 0), bound}, models[2].extremes()...),
			models[3].extremes()...),
		Verdict: noHelpVerdict(without),
		Correction: fmt.Sprintf("they speed it up without the penalty, too, from %.2g to %.2g changes in 1000 "+
			"steps, and to %.3g with it.", pick(2, 0).Value, learnt.Value, bound.Value),
		Needs: noHelpNeeds(seen[models[2].name][0]),
	}
	c.Measured = append(append(c.Measured, without.measured("gain without the penalty")...),
		with.measured("gain with it")...)
	switch five := bound.Value-2*bound.Error > 5*(learnt.Value+2*learnt.Error); {
	case with.high < noHelp:
		c.Verdict = verdict.Fails
	case !(with.low > noHelp):
		c.Verdict = verdict.Open
	case c.Verdict == verdict.Fails && five:
		c.Verdict = verdict.Corrected
	}
	return c
}
