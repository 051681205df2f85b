// Package jump moves chains between far modes by learnt jumps.
package jump
