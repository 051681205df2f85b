package paper

// modeWeight is the share of a mode in the law of a model. A chain that never leaves a mode says nothing about
// it: a model may have one mode only, and persistent chains fix no weights of modes that they do not move
// between.
type modeWeight struct {
	Name    string  `json:"name"`
	Share   float64 `json:"share"`
	Error   float64 `json:"error"`
	LogZ    float64 `json:"log_z"`            // of the mode alone
	LogZErr float64 `json:"log_z_error"`      // its standard error
	ESS     float64 `json:"effective_chains"` // those that carry the estimate
}
