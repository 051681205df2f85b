package paper

// All lists the figures in the order of the paper, claims of its text where it makes them.
func All() []Figure {
	return []Figure{
		algoFigure(),
		datasetFigure(),
		trainedCurieWeissFigure(),
		curieWeissFigure(),
		hopfieldFigure(),
		modelFigure(),
		pairFigure(),
		perturbationFigure(),
		ringFigure(),
		mnistFigure(),
		proteinsFigure(),
		latentFigure(),
		mhHopfieldFigure(),
	}
}
