package figure

import "instanton/paper/verdict"

// All lists the figures in the order of the paper, claims of its text where it makes them, and what goes beyond it.
func All() []verdict.Figure {
	return []verdict.Figure{
		algoFigure(),
		formulasFigure(),
		datasetFigure(),
		trainedCurieWeissFigure(),
		curieWeissFigure(),
		hopfieldFigure(),
		modelFigure(),
		pairFigure(),
		perturbationFigure(),
		ringFigure(),
		dynamicsBASFigure(),
		unitsBASFigure(),
		mnistFigure(),
		strokesFigure(),
		tenDigitsFigure(),
		proteinsFigure(),
		latentFigure(),
		weightsBASFigure(),
		basFigure(),
		flipsBASFigure(),
		mhHopfieldFigure(),
		learningHopfieldFigure(),
		clustersFigure(),
		blockFailuresFigure(),
		weightsMNISTFigure(),
		latentFailuresFigure(),
		beyondFigure(),
	}
}
