package special

// Finite reports whether x is neither infinite nor NaN: only then is x − x zero.
func Finite(x float64) bool { return x-x == 0 }
