//! Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations.
//!
//! For the covariance matrices of a tuner: a few dozen rows at most, so nothing faster is needed. Deterministic:
//! the rotations come in the same order for the same matrix.

/// Sweeps over the whole matrix; ten are enough for any matrix of this size.
const SWEEPS: usize = 60;

/// A square matrix by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// The matrix that changes nothing.
pub(super) fn identity(size: usize) -> Matrix {
    let row = |i: usize| (0..size).map(|j| f64::from(u8::from(i == j))).collect();
    (0..size).map(row).collect()
}

/// The eigenvalues of a symmetric matrix, and the matrix whose column `j` is the unit eigenvector of value `j`.
pub(super) fn decompose(matrix: &Matrix) -> (Vec<f64>, Matrix) {
    let size = matrix.len();
    let mut rest = matrix.clone();
    let mut vectors = identity(size);
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..size {
            for q in p + 1..size {
                turned |= rotate(&mut rest, &mut vectors, p, q);
            }
        }
        if !turned {
            break;
        }
    }
    ((0..size).map(|i| rest[i][i]).collect(), vectors)
}

/// Makes element (p, q) zero; whether there was anything to do.
fn rotate(rest: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) -> bool {
    let off = rest[p][q];
    // Too small to change the sums it would be added to.
    if off.abs() <= 1e-17 * (rest[p][p].abs() + rest[q][q].abs()) {
        rest[p][q] = 0.0;
        rest[q][p] = 0.0;
        return false;
    }
    let theta = (rest[q][q] - rest[p][p]) / (2.0 * off);
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for row in rest.iter_mut().chain(vectors.iter_mut()) {
        let (a, b) = (row[p], row[q]);
        row[p] = cosine * a - sine * b;
        row[q] = sine * a + cosine * b;
    }
    let (upper, lower) = rest.split_at_mut(q);
    for (a, b) in upper[p].iter_mut().zip(&mut lower[0]) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_matrix_whose_values_are_known() {
        // Of 2 on the diagonal and -1 beside it: 2 - 2 cos(k pi / 5).
        let matrix: Matrix = (0..4_i32)
            .map(|i| {
                let element = |j: i32| match (i - j).abs() {
                    0 => 2.0,
                    1 => -1.0,
                    _ => 0.0,
                };
                (0..4).map(element).collect()
            })
            .collect();
        let (mut values, _) = decompose(&matrix);
        values.sort_by(f64::total_cmp);
        for (k, value) in (1..).zip(values) {
            let expected = 2.0 - 2.0 * (f64::from(k) * std::f64::consts::PI / 5.0).cos();
            assert!((value - expected).abs() < 1e-12, "{value} {expected}");
        }
    }

    proptest! {
        #[test]
        fn the_pieces_make_the_matrix_again(
            size in 1..9_usize,
            numbers in prop::collection::vec(-10.0..10.0_f64, 81),
        ) {
            let at = |i: usize, j: usize| numbers[i.min(j) * 9 + i.max(j)];
            let matrix: Matrix = (0..size).map(|i| (0..size).map(|j| at(i, j)).collect()).collect();
            let (values, vectors) = decompose(&matrix);
            for i in 0..size {
                for j in 0..size {
                    let sum: f64 = (0..size).map(|k| vectors[i][k] * values[k] * vectors[j][k]).sum();
                    prop_assert!((sum - matrix[i][j]).abs() < 1e-9, "{sum} {}", matrix[i][j]);
                    let dot: f64 = (0..size).map(|k| vectors[k][i] * vectors[k][j]).sum();
                    prop_assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-9);
                }
            }
        }
    }
}
